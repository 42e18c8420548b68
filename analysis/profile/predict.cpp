#include "analysis/profile/predict.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "analysis/profile/access_counter.h"
#include "analysis/profile/instruction_costs.h"

namespace msci {
namespace {

constexpr double sectors_of_line = 4;

using Work = std::array<double, work_kinds>;  // instructions of a simdgroup

double count_of(const LaunchProfile& launch, WorkKind kind) {
  return launch.work[static_cast<std::size_t>(kind)];
}

// Cycles that a scheduler needs to issue a simdgroup's instructions. Cheap ones issue while the
// pipe of the expensive ones is busy.
double issue_cycles(const Work& work, const ModelConstants& constants) {
  double cheap = 0, expensive = 0, slots = 0;
  for (std::size_t i = 0; i < work_kinds; ++i) {
    const auto kind = static_cast<WorkKind>(i);
    const auto cost = throughput_of(kind);
    if (kind == WorkKind::branch || kind == WorkKind::loop) {
      cheap += work[i] * constants[kind == WorkKind::loop ? Constant::loop : Constant::branch];
    } else if (cost > 1) {
      expensive += work[i] * cost;
      slots += work[i];
    } else {
      cheap += work[i];
    }
  }
  return std::max(expensive, slots + cheap);
}

// The cache behind a core sends what was asked for of a line, in pieces of 32 bytes.
double miss_share(const LaunchProfile& launch) {
  return launch.device_lines > 0 ? launch.core_misses / launch.device_lines : 0;
}

double missed_sectors(const LaunchProfile& launch) {
  return std::min(sectors_of_line * launch.core_misses, launch.device_sectors);
}

double accesses_of(const LaunchProfile& launch) {
  return count_of(launch, WorkKind::device_load) + count_of(launch, WorkKind::device_store) +
         count_of(launch, WorkKind::constant_load);
}

// A GPU that was idle raises its clock while it works.
double from_idle(double seconds, const ModelConstants& constants) {
  const double clock = std::min(1.0, constants[Constant::slow_clock]);
  const double ramp = 1e-3 * constants[Constant::ramp_milliseconds];
  return std::min(seconds / clock, seconds + ramp * (1 - clock));
}

// Seconds of launches, as a pass that begins on an idle GPU takes them.
class PassTime {
 public:
  // DRAM has a clock of its own.
  void add(double seconds, Bound bound) {
    (bound == Bound::memory ? memory_ : clocked_) += seconds;
  }
  double seconds(const ModelConstants& constants) const {
    return from_idle(clocked_, constants) + memory_;
  }

 private:
  double clocked_ = 0, memory_ = 0;
};

double norm(const std::array<double, bound_count>& parts, double exponent) {
  const double largest = *std::max_element(parts.begin(), parts.end());
  if (largest <= 0) return 0;
  double sum = 0;
  for (const auto part : parts) sum += std::pow(part / largest, exponent);
  return largest * std::pow(sum, 1 / exponent);
}

}  // namespace

std::string_view to_string(Constant constant) {
  constexpr std::array<std::string_view, constant_count> names{"launch_microseconds",
                                                               "alone_issue",
                                                               "core_latency",
                                                               "miss_latency",
                                                               "threadgroup_latency",
                                                               "barrier",
                                                               "branch",
                                                               "loop",
                                                               "access",
                                                               "line",
                                                               "bank_cycle",
                                                               "missed_sector",
                                                               "cache_bandwidth",
                                                               "dram_share",
                                                               "spill",
                                                               "overlap",
                                                               "atomic",
                                                               "slow_clock",
                                                               "ramp_milliseconds"};
  return names[static_cast<std::size_t>(constant)];
}

std::string_view to_string(Bound bound) {
  constexpr std::array<std::string_view, bound_count> names{
      "instructions", "latency", "accesses", "threadgroup_memory", "spills", "cache",
      "memory",       "atomics", "launch"};
  return names[static_cast<std::size_t>(bound)];
}

Bound bound_from(std::string_view text) {
  for (std::size_t i = 0; i < bound_count; ++i)
    if (to_string(static_cast<Bound>(i)) == text) return static_cast<Bound>(i);
  return Bound::instructions;
}

const ModelConstants m1_pro_constants{{5.66, 1.35, 62.1, 313, 39.9, 32.7, 7.34, 9.58, 0.648, 1.18,
                                       5.42, 1.23, 51.9, 1.06, 8.41, 6.73, 19.2, 0.357, 0.648}};

Bound LaunchPrediction::bound() const {
  const auto largest = std::max_element(parts.begin(), parts.end());
  return static_cast<Bound>(largest - parts.begin());
}

LaunchPrediction predict(const LaunchProfile& launch, const Chip& chip, const ModelConstants& c) {
  const auto allowed = std::min(launch.registers, registers_allowed(launch.thread_limit));
  const auto per_group = static_cast<unsigned>(launch.simdgroups);
  LaunchPrediction prediction{.weight = launch.weight};
  prediction.occupancy = occupancy_of(allowed, launch.threadgroup_bytes, per_group);
  // The core with the most threadgroups ends last.
  const auto groups_of_core = std::ceil(static_cast<double>(launch.groups) / chip.cores);
  const double simdgroups = groups_of_core * per_group;
  const double waits = launch.device_waits * (c[Constant::core_latency] +
                                              miss_share(launch) * c[Constant::miss_latency]) +
                       launch.threadgroup_waits * c[Constant::threadgroup_latency] +
                       count_of(launch, WorkKind::barrier) * c[Constant::barrier];

  auto& parts = prediction.parts;
  const auto part = [&](Bound bound) -> double& { return parts[static_cast<std::size_t>(bound)]; };
  part(Bound::accesses) = simdgroups * (launch.device_lines * c[Constant::line] +
                                        accesses_of(launch) * c[Constant::access]);
  part(Bound::threadgroup_memory) = simdgroups * launch.bank_cycles * c[Constant::bank_cycle];
  part(Bound::cache) = simdgroups * missed_sectors(launch) * c[Constant::missed_sector];
  part(Bound::atomics) = simdgroups * launch.atomic_turns * c[Constant::atomic];
  for (auto& cycles : parts) cycles /= chip.clock;

  const auto all = static_cast<double>(launch.groups) * per_group;
  const auto buffers = static_cast<double>(launch.buffer_bytes);
  const double bytes = std::min(all * launch.first_loads * cache_line_bytes, buffers) +
                       std::min(all * launch.first_stores * cache_line_bytes, buffers);
  const double bandwidth = buffers <= static_cast<double>(chip.system_cache)
                               ? c[Constant::cache_bandwidth] * 1e9 * chip.cores
                               : c[Constant::dram_share] * chip.dram_bandwidth;
  part(Bound::memory) = bytes / bandwidth;
  const double launch_seconds = c[Constant::launch_microseconds] * 1e-6;
  // The other parts depend on what lies in registers, and how many threadgroups find room there.
  const auto seconds_of = [&](const Work& work, const Occupancy& occupancy) {
    const double issue = issue_cycles(work, c);
    const double alone = std::max(launch.chain, c[Constant::alone_issue] * issue) + waits;
    const double held = std::min(simdgroups, static_cast<double>(occupancy.simdgroups));
    const double spilled = work[static_cast<std::size_t>(WorkKind::private_access)];
    part(Bound::instructions) = issue * std::max(1.0, simdgroups / schedulers) / chip.clock;
    part(Bound::latency) = alone * simdgroups / held / chip.clock;
    part(Bound::spills) = simdgroups * spilled * c[Constant::spill] / chip.clock;
    return norm(parts, c[Constant::overlap]) + launch_seconds;
  };
  auto in_registers = launch.work;
  in_registers[static_cast<std::size_t>(WorkKind::private_access)] = 0;
  prediction.seconds_in_registers =
      seconds_of(in_registers, occupancy_of(1, launch.threadgroup_bytes, per_group));
  prediction.seconds = seconds_of(launch.work, prediction.occupancy);
  part(Bound::launch) = launch_seconds;
  return prediction;
}

Prediction predict(const Profile& profile, const Chip& chip, const ModelConstants& constants) {
  Prediction prediction;
  PassTime estimated, in_registers;
  for (const auto& launch : profile.launches) {
    prediction.launches.push_back(predict(launch, chip, constants));
    const auto& predicted = prediction.launches.back();
    const auto weight = static_cast<double>(predicted.weight);
    estimated.add(weight * predicted.seconds, predicted.bound());
    in_registers.add(weight * predicted.seconds_in_registers, predicted.bound());
  }
  prediction.seconds = estimated.seconds(constants);
  prediction.seconds_in_registers = in_registers.seconds(constants);
  return prediction;
}

Bound Prediction::bound() const {
  std::array<double, bound_count> seconds = {};
  for (const auto& launch : launches)
    seconds[static_cast<std::size_t>(launch.bound())] +=
        static_cast<double>(launch.weight) * launch.seconds;
  return static_cast<Bound>(std::max_element(seconds.begin(), seconds.end()) - seconds.begin());
}

std::size_t Prediction::longest_launch() const {
  const auto seconds = [](const LaunchPrediction& launch) {
    return static_cast<double>(launch.weight) * launch.seconds;
  };
  const auto longest = std::ranges::max_element(launches, std::less<>{}, seconds);
  return launches.empty() ? 0 : static_cast<std::size_t>(longest - launches.begin());
}

}  // namespace msci
