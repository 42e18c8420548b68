// Task x Translation x Device -> Outcome: the only loop that runs and judges candidates.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "evaluator/cache.h"
#include "evaluator/device/device.h"
#include "evaluator/measure/statistics.h"
#include "evaluator/roofline.h"
#include "evaluator/task.h"

namespace msci {

// The benchmark's own protocol.
constexpr Repeats metal_sci = {.warmup = 3, .timed = 10};
// Of a stand-alone benchmark.
constexpr Repeats benchmark = {.warmup = 5, .timed = 50};
// Warm by time, then until the mean is known to half a per cent, within a second.
constexpr Repeats steady = {.warmup = 3, .timed = 10, .warmup_seconds = 0.1, .timed_seconds = 1};

// How much of a task is evaluated.
struct Protocol {
  Repeats repeats = metal_sci;
  bool held_out = false;       // the task's held-out size too, once all others are right
  bool stop_at_wrong = false;  // leave out the sizes after the first that is not right
  // With it, kernels that are right get a strict verdict; their inputs hang on it.
  std::optional<std::uint64_t> strict_nonce = std::nullopt;
  unsigned fuzz_sizes = 0;  // so many stress sizes more, drawn with the nonce
};

// What an evaluation works with; `ceilings` may be missing where nothing is timed.
struct Bench {
  Device& device;
  std::optional<Ceilings> ceilings;
  Cache& cache;
  std::function<void(std::string_view size)> begins_size = nullptr;  // told before each size
};

struct Timing {
  double seconds = 0;   // median of the timed passes
  double achieved = 0;  // the task's work per second, in 1e9 bytes or operations
  double ceiling = 0;   // in the same unit
  double fraction = 0;  // achieved / ceiling; above 1 where caches help
  std::optional<double> intensity = std::nullopt;  // the task's, in operations per byte
  Spread spread = {};                              // of the timed passes
  bool operator==(const Timing&) const = default;
};

// What came of one size.
struct SizeOutcome {
  std::string label;
  std::variant<Verdict, Failure> answer;
  std::optional<Timing> timing;  // none where nothing was timed, or it did not run to the end
  std::vector<std::string>
      overruns;  // buffers beside whose ends the kernel wrote; does not count as wrong
  // Whether a timed pass, chosen at random, was right, too; none where nothing was timed. The
  // recorded verdict does not look at it.
  std::optional<bool> timed_correct = std::nullopt;
  bool correct() const;
  bool operator==(const SizeOutcome&) const = default;
};

// It never ran.
struct Rejected {
  enum class Stage { compile, pipeline };
  Stage stage = Stage::compile;
  std::string reason;
  bool kernel_is_missing = false;  // one that the task dispatches
  bool operator==(const Rejected&) const = default;
};

// At least one in-distribution size is not right.
struct Wrong {
  std::vector<SizeOutcome> sizes;
  bool operator==(const Wrong&) const = default;
};

// All in-distribution sizes are right.
struct Scored {
  std::vector<SizeOutcome> sizes;
  std::optional<double> score;  // geometric mean of the fractions; none where nothing was timed
  std::optional<SizeOutcome> held_out;
  bool operator==(const Scored&) const = default;
};

// A bad kernel is an answer, not an error.
using Outcome = std::variant<Rejected, Wrong, Scored>;

// What the task's stress problem says of a kernel (evaluator/strict.h), beside its Outcome.
struct Strict {
  std::uint64_t nonce = 0;  // gives the same inputs again
  std::vector<SizeOutcome> sizes;
  std::vector<std::string>
      ghosts;           // what does not matter (evaluator/ghost.h); not counted as wrong
  bool passed() const;  // all sizes right, and nothing written beside the end of a buffer
  bool operator==(const Strict&) const = default;
};

// Wall-clock seconds of an evaluation, by what they went into.
struct Effort {
  double frontend = 0;  // reading Metal, rules and translation; known to who did it
  double inputs = 0;
  double reference = 0;
  double build = 0;
  double run = 0;  // drivers that compile at the first launch do it here
  double judge = 0;
  double strict = 0;  // the strict verdict, all of it
  double turns = 0;   // in turns with a rival, builds and all; known to who measured it
  // Adds part to part.
  Effort& operator+=(const Effort& other);
};

struct Evaluation {
  Outcome outcome;
  std::optional<Strict> strict;  // none where none was asked for, or the outcome is not right
  Effort effort;
};

// Why a Metal host could not build its pipelines; none where it could. Kernels that the task does
// not use may be anything.
std::optional<Rejected> refuse_pipelines(const Task& task, const Translation& translation);

// Errors are ours alone: the device lacks memory, the driver is broken.
Result<Evaluation> evaluate(const Task& task, const Translation& translation, const Bench& bench,
                            Protocol protocol);

// The strict verdict alone, whatever the recorded one says. Errors: those of evaluate(), and a task
// without a derivation.
Result<Strict> judge_strictly(const Task& task, const Translation& translation, Program& program,
                              std::uint64_t nonce, unsigned fuzz_sizes = 0);

// exp(mean(log(max(f, 1e-12)))).
double geometric_mean(std::span<const double> fractions);

}  // namespace msci
