#include "analysis/profile/fitted_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "analysis/profile/instruction_costs.h"

namespace msci {
namespace {

constexpr double share_margin = 0.25;
constexpr double size_margin = 4;

template <typename Values>
void normalise(Values values) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  if (sum <= 0) return;
  for (auto& value : values) value /= sum;
}

// Short passes and few simdgroups have costs that others hide; less of the rest is easier.
bool is_hard_when_small(PassSize size) {
  return size == PassSize::microseconds || size == PassSize::simdgroups;
}

Shares shares_of(const Profile& profile, const Prediction& prediction) {
  Shares features = {};
  const auto by_bound = std::span(features).first(bound_count);
  const auto by_kind = std::span(features).subspan(bound_count);
  for (std::size_t i = 0; i < profile.launches.size(); ++i) {
    const auto& launch = profile.launches[i];
    const auto weight = static_cast<double>(launch.weight);
    for (std::size_t b = 0; b < bound_count; ++b)
      by_bound[b] += weight * prediction.launches[i].parts[b];
    const double all = weight * static_cast<double>(launch.groups * launch.simdgroups);
    for (std::size_t k = 0; k < work_kinds; ++k)
      by_kind[k] += all * launch.work[k] * throughput_of(static_cast<WorkKind>(k));
  }
  normalise(by_bound);
  normalise(by_kind);
  const auto share_of = [&](Bound bound) { return by_bound[static_cast<std::size_t>(bound)]; };
  for (std::size_t k = 0; k < work_kinds; ++k)
    by_kind[k] *= throughput_of(static_cast<WorkKind>(k)) > 1
                      ? share_of(Bound::instructions) + share_of(Bound::latency)
                      : 0;
  return features;
}

std::array<double, size_count> sizes_of(const Profile& profile, const Prediction& prediction) {
  if (profile.launches.empty()) return {};
  const auto number = prediction.longest_launch();
  const auto& launch = profile.launches[number];
  double launches = 0;
  for (const auto& each : profile.launches) launches += static_cast<double>(each.weight);
  return {1e6 * prediction.seconds,
          launches,
          static_cast<double>(launch.groups * launch.simdgroups),
          static_cast<double>(prediction.launches[number].occupancy.simdgroups),
          std::accumulate(launch.work.begin(), launch.work.end(), 0.0),
          launch.chain,
          static_cast<double>(launch.registers),
          static_cast<double>(launch.private_bytes),
          static_cast<double>(launch.buffer_bytes) / 1024};
}

}  // namespace

std::string_view to_string(PassSize size) {
  constexpr std::array<std::string_view, size_count> names{
      "microseconds", "launches",  "simdgroups",    "simdgroups_per_core", "instructions",
      "chain_cycles", "registers", "private_bytes", "buffer_kilobytes"};
  return names[static_cast<std::size_t>(size)];
}

std::string share_name(std::size_t share) {
  return std::string(share < bound_count ? to_string(static_cast<Bound>(share))
                                         : to_string(static_cast<WorkKind>(share - bound_count)));
}

PassFeatures features_of(const Profile& profile, const Prediction& prediction) {
  return {shares_of(profile, prediction), sizes_of(profile, prediction)};
}

void FittedRange::add(const PassFeatures& pass) {
  const bool is_first = largest[0] == 0;
  for (std::size_t i = 0; i < share_count; ++i) most[i] = std::max(most[i], pass.shares[i]);
  for (std::size_t i = 0; i < size_count; ++i) {
    least[i] = is_first ? pass.sizes[i] : std::min(least[i], pass.sizes[i]);
    largest[i] = std::max(largest[i], pass.sizes[i]);
  }
}

std::string unlike(const PassFeatures& pass, const FittedRange& range) {
  for (std::size_t i = 0; i < share_count; ++i)
    if (pass.shares[i] > range.most[i] + share_margin)
      return fmt::format("{} takes {:.0f} % of its time, and {:.0f} % at most in what was measured",
                         share_name(i), 100 * pass.shares[i], 100 * range.most[i]);
  for (std::size_t i = 0; i < size_count; ++i)
    if (pass.sizes[i] > size_margin * range.largest[i] ||
        (is_hard_when_small(static_cast<PassSize>(i)) &&
         size_margin * pass.sizes[i] < range.least[i]))
      return fmt::format("{} are {:.3g}, and {:.3g} to {:.3g} in what was measured",
                         to_string(static_cast<PassSize>(i)), pass.sizes[i], range.least[i],
                         range.largest[i]);
  return "";
}

}  // namespace msci
