#include <algorithm>
#include <bit>

#include "analysis/check/check_layout.h"
#include "analysis/check/check_memory.h"

namespace msci {

Extent threadgroups_of(const Launch& launch) {
  const auto over = [](unsigned grid, unsigned threads) { return (grid + threads - 1) / threads; };
  return {over(launch.grid.x, launch.threadgroup.x), over(launch.grid.y, launch.threadgroup.y),
          over(launch.grid.z, launch.threadgroup.z)};
}

std::vector<LaunchSlot> launch_slots(const Plan& plan) {
  std::vector<LaunchSlot> slots;
  std::size_t set = 0;
  for (std::size_t first = 0, end = 0; first < plan.launches.size(); first = end, ++set) {
    for (end = first + 1; end < plan.launches.size() && plan.launches[end].overlaps_previous;)
      ++end;
    std::size_t most_threads = 1;
    for (auto i = first; i < end; ++i)
      most_threads = std::max(most_threads, plan.launches[i].threadgroup.count());
    std::size_t threadgroup = 0;
    for (auto i = first; i < end; ++i) {
      slots.push_back({.set = set,
                       .number = static_cast<unsigned>(set % distinct_launches),
                       .is_first = i == first,
                       .is_shared = end - first > 1,
                       .first_threadgroup = threadgroup,
                       .index_bits = static_cast<unsigned>(std::bit_width(most_threads - 1))});
      threadgroup += threadgroups_of(plan.launches[i]).count();
    }
  }
  return slots;
}

}  // namespace msci
