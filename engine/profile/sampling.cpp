#include "engine/profile/sampling.h"

#include <algorithm>
#include <bit>

namespace msci::engine {

std::vector<GroupRange> sampled_groups(std::size_t groups, std::size_t simdgroups_per_group) {
  return sampled_groups(groups, simdgroups_per_group, 0);
}

std::vector<GroupRange> sampled_groups(std::size_t groups, std::size_t simdgroups_per_group,
                                       double instructions_per_group) {
  constexpr std::size_t simdgroups = 64;  // to count in a launch
  constexpr std::size_t least_groups = 4;
  constexpr std::size_t ranges = 4;
  constexpr double most_work = 3e7;  // instructions to count in a launch
  auto wanted = std::max(least_groups, simdgroups / std::max<std::size_t>(1, simdgroups_per_group));
  if (static_cast<double>(wanted) * instructions_per_group > most_work)
    wanted = std::max(least_groups, static_cast<std::size_t>(most_work / instructions_per_group));
  if (groups <= wanted) return {{0, groups}};
  const auto each = wanted / ranges;
  std::vector<GroupRange> sampled;
  // The first range and the last one have the edges of the grid.
  for (std::size_t i = 0; i < ranges; ++i) {
    const auto begin = i * (groups - each) / (ranges - 1);
    sampled.push_back({begin, begin + each});
  }
  return sampled;
}

bool SampledLaunches::add(const std::string& kernel_and_shape, std::size_t number) {
  auto& repeats = repeats_[kernel_and_shape];
  const bool counted = std::has_single_bit(++repeats.count) || repeats.count == 3;
  if (counted) repeats.last = number;
  ++weights_[repeats.last];
  return counted;
}

std::map<std::size_t, std::size_t> SampledLaunches::weights() const { return weights_; }

}  // namespace msci::engine
