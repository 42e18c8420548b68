#include "analysis/profile/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "analysis/profile/access_counter.h"
#include "analysis/profile/instruction_costs.h"

namespace msci {
namespace {

constexpr double bank_row_bytes = 128;  // that all banks of threadgroup memory give in a cycle

unsigned up(unsigned a, unsigned b) { return (a + b - 1) / b; }

const KernelCode* find_code(const Translation& translation, const std::string& symbol) {
  const auto found = std::find_if(translation.code.begin(), translation.code.end(),
                                  [&](const KernelCode& code) { return code.symbol == symbol; });
  return found == translation.code.end() ? nullptr : &*found;
}

std::size_t bound_bytes(const Plan& plan, const Launch& launch) {
  std::set<std::size_t> buffers;
  for (const auto& binding : launch.bindings) buffers.insert(binding.buffer);
  std::size_t bytes = 0;
  for (const auto buffer : buffers) bytes += plan.buffers[buffer].bytes;
  return bytes;
}

// Adds up the counts of one launch.
class LaunchSum {
 public:
  LaunchSum(const KernelCode& code, const LaunchCounts& counts, LaunchProfile& profile)
      : code_(code),
        counts_(counts),
        profile_(profile),
        per_simdgroup_(1.0 / static_cast<double>(std::max<std::size_t>(1, counts.simdgroups))) {}

  void run() {
    for (std::size_t i = 0; i < counts_.blocks.size(); ++i) add(code_.blocks[i], counts_.blocks[i]);
    for (std::size_t i = 0; i < counts_.sites.size(); ++i) add(code_.sites[i], counts_.sites[i]);
    if (instructions_ > 0) profile_.active_lanes = lanes_ / instructions_;
    // Lines hold sums over all simdgroups of the launch.
    const double all = per_simdgroup_ * static_cast<double>(profile_.groups * profile_.simdgroups);
    for (auto& [number, line] : lines_) {
      if (line.instructions > 0) line.active_lanes /= line.instructions;
      for (auto* sum : {&line.instructions, &line.cycles, &line.lines, &line.least_lines,
                        &line.bank_cycles, &line.least_bank_cycles})
        *sum *= all;
      line.line = number;
      profile_.lines.push_back(line);
    }
  }

 private:
  void add(const BlockCode& block, const BlockCount& count) {
    if (count.executions == 0) return;
    const auto times = static_cast<double>(count.executions);
    const auto each = times * per_simdgroup_;
    for (const auto& work : block.work) {
      const double executed = each * work.count;
      profile_.work[static_cast<std::size_t>(work.work)] += executed;
      instructions_ += executed;
      lanes_ += static_cast<double>(count.lanes) * per_simdgroup_ * work.count;
      auto& line = lines_[work.line];
      line.instructions += times * work.count;
      line.cycles += times * work.count * throughput_of(work.work);
      line.active_lanes += static_cast<double>(count.lanes) * work.count;
    }
    profile_.chain += each * block.chain;
    profile_.device_waits += each * block.device_chain;
    profile_.threadgroup_waits += each * block.threadgroup_chain;
    const auto same =
        std::find_if(profile_.pressure.begin(), profile_.pressure.end(),
                     [&](const Pressure& one) { return one.registers == block.registers; });
    if (same != profile_.pressure.end())
      same->blocks += each;
    else
      profile_.pressure.push_back({block.registers, each});
  }

  void add(const AccessSite& site, const AccessCount& count) {
    auto& line = lines_[site.line];
    const auto mean = [&](std::uint64_t sum) { return static_cast<double>(sum) * per_simdgroup_; };
    const double bytes = static_cast<double>(count.lanes) * site.bytes;
    if (site.type == AccessType::atomic) profile_.atomic_turns += mean(count.bank_cycles);
    if (site.memory == MemoryKind::threadgroup) {
      profile_.bank_cycles += mean(count.bank_cycles);
      line.bank_cycles += static_cast<double>(count.bank_cycles);
      line.least_bank_cycles +=
          std::max(static_cast<double>(count.executions), bytes / bank_row_bytes);
      return;
    }
    profile_.device_lines += mean(count.lines);
    profile_.device_sectors += mean(count.sectors);
    profile_.core_misses += mean(count.core_misses);
    (site.type == AccessType::load ? profile_.first_loads : profile_.first_stores) +=
        mean(count.first_touches);
    profile_.used_bytes += bytes * per_simdgroup_;
    line.lines += static_cast<double>(count.lines);
    line.least_lines += std::max(static_cast<double>(count.executions), bytes / cache_line_bytes);
  }

  const KernelCode& code_;
  const LaunchCounts& counts_;
  LaunchProfile& profile_;
  double per_simdgroup_;
  double instructions_ = 0;
  double lanes_ = 0;
  std::map<unsigned, LineProfile> lines_;
};

// How far the mean work of all threadgroups may be from that of the counted ones: Student's
// interval of 95 %, narrower as fewer are left out.
double count_error_of(const std::vector<double>& work, std::size_t groups) {
  if (work.empty() || work.size() >= groups) return 0;
  if (work.size() == 1) return 1;
  const auto count = static_cast<double>(work.size());
  const double mean = std::accumulate(work.begin(), work.end(), 0.0) / count;
  if (mean <= 0) return 0;
  double squares = 0;
  for (const auto each : work) squares += (each - mean) * (each - mean);
  const double student = 1.96 * (1 + 1.9 / (count - 1));  // 3 % above the table at most
  const double left_out = 1 - count / static_cast<double>(groups);
  return student * std::sqrt(squares / (count - 1) / count * left_out) / mean;
}

Result<LaunchProfile> launch_profile(const Translation& translation, const Plan& plan,
                                     const LaunchCounts& counts) {
  const auto malformed = [] { return Error{"the profiled run returned malformed counts"}; };
  if (counts.launch >= plan.launches.size()) return malformed();
  const auto& launch = plan.launches[counts.launch];
  const auto* signature = translation.find(launch.kernel);
  const auto* code = signature ? find_code(translation, signature->symbol) : nullptr;
  if (!code || counts.blocks.size() > code->blocks.size() ||
      counts.sites.size() > code->sites.size())
    return malformed();
  const auto groups = std::size_t{up(launch.grid.x, launch.threadgroup.x)} *
                      up(launch.grid.y, launch.threadgroup.y) *
                      up(launch.grid.z, launch.threadgroup.z);
  LaunchProfile profile{.kernel = launch.kernel,
                        .grid = launch.grid,
                        .threadgroup = launch.threadgroup,
                        .weight = counts.weight,
                        .groups = groups,
                        .counted = counts.counted,
                        .count_error = count_error_of(counts.group_work, groups),
                        .is_after_gap = counts.is_after_gap,
                        .simdgroups = (launch.threadgroup.count() + 31) / 32,
                        .registers = code->registers,
                        .thread_limit = signature->thread_limit.value_or(0),
                        .private_bytes = code->private_bytes,
                        .threadgroup_bytes = counts.threadgroup_bytes,
                        .loop_instructions = code->loop_instructions,
                        .buffer_bytes = bound_bytes(plan, launch)};
  LaunchSum(*code, counts, profile).run();
  return profile;
}

}  // namespace

Result<Profile> profile_of(const Translation& translation, const Plan& plan,
                           const std::vector<LaunchCounts>& counts) {
  Profile profile;
  for (const auto& each : counts) {
    auto launch = launch_profile(translation, plan, each);
    if (!launch) return launch.error();
    profile.launches.push_back(*std::move(launch));
  }
  return profile;
}

}  // namespace msci
