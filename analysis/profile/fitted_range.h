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

// Whether the model was fitted to no pass like this one, for one of two reasons: all recorded
// passes are shorter, or all are longer, than the predicted interval; or no recorded pass spends a
// quarter of its time on some feature, and the share of this pass is larger than all of theirs by
// 0.1.
bool is_extrapolated(const Profile& profile, const Prediction& prediction);

}  // namespace msci
