// What a CpuQueue counts while kernels run: the work of sampled threadgroups, or the outcomes of
// conditions.
#include <algorithm>

#include "engine/queue/cpu_launch.h"

namespace msci::engine {

bool CpuQueue::counts_work() const {
  return execution_.counted && execution_.order == Execution::Order::parallel &&
         !execution_.lane_by_lane;
}

// A kernel's outcomes belong to its first launch.
CpuQueue::CoveredKernel& CpuQueue::note_covered(const Prepared& launch) {
  const auto number = launched_++;
  const auto known = std::ranges::find(covered_, launch.symbol, &CoveredKernel::symbol);
  if (known == covered_.end())
    return covered_.emplace_back(CoveredKernel{launch.symbol, launch.outcomes, number});
  known->outcomes = std::max(known->outcomes, launch.outcomes);
  return *known;
}

// Sets up the counts of the next launch. The threadgroups to count; none if others stand for it.
std::vector<GroupRange> CpuQueue::begin_counting(const Prepared& launch) {
  const auto number = launched_++;
  if (!sampled_.add(launch.kernel_and_shape, number)) return {};
  const auto simdgroups = (launch.threadgroup.count() + lane_count - 1) / lane_count;
  auto& counts = counts_.emplace_back();
  counts.launch = number;
  counts.threadgroup_bytes = launch.threadgroup_bytes;
  for (const auto* kernel : {launch.counted_whole, launch.counted_edge}) {
    if (!kernel) continue;
    counts.blocks.resize(std::max(counts.blocks.size(), kernel->needs.blocks));
    counts.sites.resize(std::max(counts.sites.size(), kernel->needs.sites));
  }
  counter_.begin_launch(counts);
  return sampled_groups(launch.groups.count(), simdgroups);
}

void CpuQueue::run_counted(const Prepared& launch, Thread& thread,
                           const std::vector<GroupRange>& ranges) {
  for (const auto& range : ranges)
    for (auto group = range.begin; group < range.end; ++group) {
      counter_.begin_threadgroup(group == range.begin);
      run_row(launch, thread, group, group + 1, true);
    }
}

std::vector<LaunchCounts> CpuQueue::counts() const {
  auto counts = counts_;
  const auto weights = sampled_.weights();
  for (auto& each : counts) each.weight = weights.at(each.launch);
  for (const auto& kernel : covered_) {
    auto& seen = counts.emplace_back(LaunchCounts{.launch = kernel.launch});
    seen.blocks.resize(kernel.outcomes);
    for (const auto& thread : of_threads_) thread->record.add_to(kernel.symbol, seen.blocks);
  }
  return counts;
}

}  // namespace msci::engine
