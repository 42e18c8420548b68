// A tuner: the candidates of a search are one kernel with other values of what it says may change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "search/loop.h"

namespace msci::search {

// `// msci: tune TILE 8 16 32`, beside one declaration of that name: `#define TILE 16`,
// `constant uint TILE = 16;`, or `constant uint TILE [[function_constant(0)]];`.
struct Tunable {
  std::string name;
  std::vector<std::string> values;  // as written; at least one, and all differ
  std::size_t offset = 0;           // of the bytes that a value replaces
  std::size_t length = 0;           // their number
  // The bytes are the empty ones behind its declaration. A macro of its name gets the value, since
  // a host that sets the constant must find it.
  bool is_function_constant = false;
  std::optional<std::size_t> declared;  // which of the values the kernel has; none for another one
};

// For each tunable, in order, which of its values.
using Configuration = std::vector<std::size_t>;

struct TuneSpace {
  Source source;
  std::vector<Tunable> tunables;
  std::vector<Configuration> points;  // that meet all conditions, by the values' places
};

// Spaces have at most this many points before conditions.
inline constexpr std::size_t most_points = 100'000;

// Reads the comments of a kernel, with the conditions `// msci: tune where TILE * WIDTH <= 1024`.
// Errors name the file and the line, and say what to do.
Result<TuneSpace> read_tune_space(Source source);

// The kernel with these values.
std::string with_values(const TuneSpace& space, const Configuration& configuration);

// The point that the kernel itself is, whether it meets the conditions or not; none if it has a
// value that is not listed.
std::optional<Configuration> own_point(const TuneSpace& space);

// "TILE=16 WIDTH=8".
std::string to_string(const TuneSpace& space, const Configuration& configuration);

// Chooses points: some at random, then neighbours of the best kernels, those that differ by one
// step of one value first. No point is tried twice, and none that the kernel already has.
class Tuner : public Generator {
 public:
  Tuner(TuneSpace space, std::uint64_t seed);

  const TuneSpace& space() const { return space_; }
  // How many points are left to try besides the kernel as it is.
  std::size_t size() const { return open_; }
  // Of an iteration from 1, which follows from the iterations before its generation.
  const Configuration& configuration(unsigned iteration, const History& history);

  // The answers are kernels. A Generator of more iterations than size() fails.
  bool reads_prompts() const override { return false; }
  std::optional<Error> answer(std::span<const GeneratorRequest> requests,
                              const OnAnswer& on_answer) override;

 private:
  std::vector<std::size_t> untried() const;
  std::size_t choose(unsigned iteration, const History& history) const;

  TuneSpace space_;
  std::uint64_t seed_;
  std::size_t open_;
  std::vector<bool> tried_;          // by point
  std::vector<std::size_t> chosen_;  // the points of the iterations from 1
};

// What came of the points, as a table: the best first, then the others by their times.
Result<std::string> tuning_table(Tuner& tuner, const Store& store, const History& history);

// The same in the T4 format of auto-tuners (version 1.0.0): one result
// for each point that was judged, with the time of a pass in milliseconds (`time`, the geometric
// mean over the sizes).
Result<std::string> tuning_json(Tuner& tuner, const Store& store, const History& history);

// The same as a cache file of Kernel Tuner (version 1.1.0), with which it simulates tuning. Also of
// the kernel as it is, where that is a point. A wrong kernel counts as one that failed to run.
Result<std::string> tuning_cache(Tuner& tuner, const Store& store, const History& history);

}  // namespace msci::search
