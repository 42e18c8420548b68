#include "analysis/profile/moved_counters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace msci {
namespace {

// Of all simdgroups of a pass.
template <typename OfSimdgroup>
double total(const Profile& profile, OfSimdgroup of_simdgroup) {
  double sum = 0;
  for (const auto& launch : profile.launches)
    sum += static_cast<double>(launch.weight * launch.groups * launch.simdgroups) *
           of_simdgroup(launch);
  return sum;
}

double work(const LaunchProfile& launch, std::initializer_list<WorkKind> kinds) {
  double sum = 0;
  for (const auto kind : kinds) sum += launch.work[static_cast<std::size_t>(kind)];
  return sum;
}

// A counter, and the part of the time that it belongs to.
struct Counted {
  const char* name;
  Bound bound;
  double value;
};

// Of the launch that takes longest.
std::vector<Counted> of_longest(const Profile& profile, const Prediction& prediction) {
  if (profile.launches.empty()) return {};
  const auto longest = prediction.longest_launch();
  return {{"registers", Bound::latency, static_cast<double>(profile.launches[longest].registers)},
          {"simdgroups_per_core", Bound::latency,
           static_cast<double>(prediction.launches[longest].occupancy.simdgroups)}};
}

std::vector<Counted> counters_of(const Profile& profile, const Prediction& prediction) {
  const auto sum = [&](double LaunchProfile::* counter) {
    return total(profile, [&](const LaunchProfile& launch) { return launch.*counter; });
  };
  const auto work_of = [&](std::initializer_list<WorkKind> kinds) {
    return total(profile, [&](const LaunchProfile& launch) { return work(launch, kinds); });
  };
  double launches = 0;
  for (const auto& launch : profile.launches) launches += static_cast<double>(launch.weight);
  std::vector<Counted> counters = {
      {"launches", Bound::launch, launches},
      {"simdgroups", Bound::latency, total(profile, [](const LaunchProfile&) { return 1; })},
      {"instructions", Bound::instructions,
       total(profile,
             [](const LaunchProfile& launch) {
               return std::accumulate(launch.work.begin(), launch.work.end(), 0.0);
             })},
      {"chain_cycles", Bound::latency, sum(&LaunchProfile::chain)},
      {"device_waits", Bound::latency, sum(&LaunchProfile::device_waits)},
      {"threadgroup_waits", Bound::latency, sum(&LaunchProfile::threadgroup_waits)},
      {"barrier", Bound::latency, work_of({WorkKind::barrier})},
      {"device_load", Bound::accesses, work_of({WorkKind::device_load, WorkKind::constant_load})},
      {"device_store", Bound::accesses, work_of({WorkKind::device_store})},
      {"device_lines", Bound::accesses, sum(&LaunchProfile::device_lines)},
      {"bank_cycles", Bound::threadgroup_memory, sum(&LaunchProfile::bank_cycles)},
      {"private_access", Bound::spills, work_of({WorkKind::private_access})},
      {"core_misses", Bound::cache, sum(&LaunchProfile::core_misses)},
      {"first_loads", Bound::memory, sum(&LaunchProfile::first_loads)},
      {"first_stores", Bound::memory, sum(&LaunchProfile::first_stores)},
      {"atomic_turns", Bound::atomics, sum(&LaunchProfile::atomic_turns)}};
  const auto longest = of_longest(profile, prediction);
  counters.insert(counters.end(), longest.begin(), longest.end());
  return counters;
}

std::array<double, bound_count> parts_of(const Profile& profile, const Prediction& prediction) {
  std::array<double, bound_count> parts = {};
  for (std::size_t i = 0; i < profile.launches.size(); ++i)
    for (std::size_t part = 0; part < bound_count; ++part)
      parts[part] +=
          static_cast<double>(profile.launches[i].weight) * prediction.launches[i].parts[part];
  return parts;
}

bool is_moved(const MovedCounter& counter) {
  constexpr double least = 0.1;
  return std::abs(counter.candidate - counter.rival) >=
             least * std::max(counter.candidate, counter.rival) &&
         counter.candidate != counter.rival;
}

}  // namespace

std::vector<MovedCounter> moved_counters(const Profile& candidate, const Profile& rival,
                                         const Chip& chip) {
  constexpr std::size_t most = 6;
  const auto own = predict(candidate, chip), other = predict(rival, chip);
  const auto own_parts = parts_of(candidate, own), other_parts = parts_of(rival, other);
  const auto own_counters = counters_of(candidate, own), other_counters = counters_of(rival, other);
  std::vector<std::pair<double, MovedCounter>> moved;  // with the seconds that its part moved
  for (std::size_t i = 0; i < std::min(own_counters.size(), other_counters.size()); ++i) {
    const auto& [name, bound, value] = own_counters[i];
    const auto part = static_cast<std::size_t>(bound);
    MovedCounter counter{name, value, other_counters[i].value};
    if (is_moved(counter))
      moved.emplace_back(std::abs(own_parts[part] - other_parts[part]), std::move(counter));
  }
  std::stable_sort(moved.begin(), moved.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (moved.size() > most) moved.resize(most);
  std::vector<MovedCounter> counters;
  for (auto& [seconds, counter] : moved) counters.push_back(std::move(counter));
  return counters;
}

}  // namespace msci
