// What a CpuQueue counts while kernels run: the work of sampled threadgroups, or the outcomes of
// conditions.
#include <algorithm>
#include <numeric>

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
  counts.is_after_gap = has_gap_;
  counter_.begin_launch(counts);
  return sampled_groups(launch.groups.count(), simdgroups);
}

// Counts the first threadgroup; then it is known how many are worth counting. Those that were.
std::vector<GroupRange> CpuQueue::run_counted(const Prepared& launch, Thread& thread,
                                              std::vector<GroupRange> ranges) {
  if (ranges.empty()) return ranges;
  count_group(launch, thread, 0, true);
  const auto& work = counts_.back().group_work;
  const auto simdgroups = (launch.threadgroup.count() + lane_count - 1) / lane_count;
  ranges = sampled_groups(launch.groups.count(), simdgroups, work.front());
  for (const auto& range : ranges)
    for (auto group = std::max<std::size_t>(1, range.begin); group < range.end; ++group)
      count_group(launch, thread, group, group == range.begin);
  group_work_[launch.kernel_and_shape] =
      std::accumulate(work.begin(), work.end(), 0.0) / static_cast<double>(work.size());
  return ranges;
}

void CpuQueue::count_group(const Prepared& launch, Thread& thread, std::size_t group, bool apart) {
  counter_.begin_threadgroup(apart);
  run_row(launch, thread, group, group + 1, true);
  auto& counts = counts_.back();
  double instructions = 0;
  for (std::size_t i = 0; i < std::min(counts.blocks.size(), launch.block_work.size()); ++i)
    instructions += static_cast<double>(counts.blocks[i].executions) * launch.block_work[i];
  for (const auto before : counts.group_work) instructions -= before;
  counts.group_work.push_back(instructions);
}

bool CpuQueue::leaves_rest(const Prepared& launch, bool is_last) {
  if (!counts_alone_) return false;
  if (is_last) return true;
  const double work =
      group_work_.at(launch.kernel_and_shape) * static_cast<double>(launch.groups.count());
  if (uncounted_work_ + work <= most_uncounted_work) {
    uncounted_work_ += work;
    return false;
  }
  has_gap_ = true;
  return true;
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
