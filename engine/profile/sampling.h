// Which launches and which threadgroups of a counted run are counted.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace msci::engine {

// Neighbouring threadgroups, by their numbers in the launch.
struct GroupRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Threadgroups of a launch that stand for all: a few ranges, spread evenly, in order. All of a
// small launch; the first range begins with the first threadgroup.
std::vector<GroupRange> sampled_groups(std::size_t groups, std::size_t simdgroups_per_group);
// The same, fewer of them where each executes so many instructions of simdgroups.
std::vector<GroupRange> sampled_groups(std::size_t groups, std::size_t simdgroups_per_group,
                                       double instructions_per_group);

// Instructions of simdgroups that a run executes for later launches' sake alone, at most: seconds
// of a processor. Instructions, because seconds would count another time as something else.
constexpr double most_uncounted_work = 5e8;

// Of launches that repeat with the same kernel and shape, those at powers of two stand for the
// rest.
class SampledLaunches {
 public:
  // The next launch of a pass. Whether it is counted.
  bool add(const std::string& kernel_and_shape, std::size_t number);
  // For each counted launch, by its number: how many it stands for, itself among them.
  std::map<std::size_t, std::size_t> weights() const;

 private:
  struct Repeats {
    std::size_t count = 0;
    std::size_t last = 0;  // counted launch
  };
  std::map<std::string, Repeats> repeats_;
  std::map<std::size_t, std::size_t> weights_;
};

}  // namespace msci::engine
