#include "analysis/profile/fitted_range.h"

#include <numeric>
#include <span>

#include "analysis/profile/instruction_costs.h"

namespace msci {
namespace {

constexpr double margin = 0.1;
constexpr double known = 0.25;

// The largest share of each feature in a recorded pass; `msci-clock` prints them.
constexpr Features fitted_most{{
    // By bound.
    0.82,  // instructions
    0.72,  // latency
    0.39,  // accesses
    0.71,  // threadgroup_memory
    0.94,  // spills
    0.38,  // cache
    0.61,  // memory
    0.01,  // atomics
    0.71,  // launch
    // By kind of instruction.
    0,     // float_add
    0,     // half_add
    0,     // compare_select
    0,     // integer
    0.21,  // convert
    0.41,  // multiply
    0.3,   // multiply_high
    0.49,  // add_long
    0.05,  // multiply_long
    0.11,  // shift_left
    0.81,  // shift_right
    0.63,  // bits
    0.54,  // divide_integer
    0.01,  // exponential
    0.14,  // reciprocal
    0.24,  // root
    0.19,  // trigonometry
    0,     // precise_divide
    0.07,  // shuffle
    0,     // shuffle_variable
    0.06,  // reduce
    0.05,  // prefix
    0.12,  // matrix
    0.29,  // branch
    0.11,  // loop
    0,     // device_load
    0,     // device_store
    0,     // constant_load
    0,     // threadgroup_load
    0,     // threadgroup_store
    0,     // private_access
    0,     // atomic
    0,     // barrier
}};

template <typename Shares>
void normalise(Shares shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (sum <= 0) return;
  for (auto& share : shares) share /= sum;
}

}  // namespace

Features features_of(const Profile& profile, const Prediction& prediction) {
  Features features = {};
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

bool is_extrapolated(const Profile& profile, const Prediction& prediction) {
  if (is_extrapolated(prediction.seconds)) return true;
  const auto features = features_of(profile, prediction);
  for (std::size_t i = 0; i < feature_count; ++i)
    if (fitted_most[i] < known && features[i] > fitted_most[i] + margin) return true;
  return false;
}

}  // namespace msci
