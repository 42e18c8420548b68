// Whether a pass is like those that the model was fitted to.
#pragma once

#include <array>

#include "analysis/profile/predict.h"

namespace msci {

// What a pass is made of: the share of each bound in the times that all would take alone; and that
// share of instructions and latency, divided among the kinds of instructions by their cycles. Kinds
// of one cycle, which all kernels have, are left out.
constexpr std::size_t feature_count = bound_count + work_kinds;
using Features = std::array<double, feature_count>;

// `prediction` is that of `profile`.
Features features_of(const Profile& profile, const Prediction& prediction);

// Whether the model was fitted to no pass like this one: all recorded ones are shorter or longer
// than its whole interval; or none spends a quarter of its time on a feature, and this pass spends
// a tenth of its time more on it than each of them.
bool is_extrapolated(const Profile& profile, const Prediction& prediction);

}  // namespace msci
