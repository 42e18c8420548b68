// What predicted times can tell: how far off they may be, and which of two kernels is faster.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "analysis/profile/fitted_range.h"

namespace msci {

// A predicted pass, and what decides how sure the prediction is.
struct PredictedPass {
  double seconds = 0;
  std::array<double, bound_count> parts = {};  // the share of each, if all took their time alone
  std::string unlike;  // why it is unlike what was measured; empty if it is not
  bool operator==(const PredictedPass&) const = default;
};
PredictedPass predicted_pass(const Profile& profile, const Prediction& prediction,
                             const FittedRange& range);

// How wrong predictions were, on recorded kernels of tasks that were left out of the fit. Errors
// are those of logarithms; they add as squares. What a part adds to the error of a time is in
// proportion to its share. To the error of a ratio, it adds in proportion to the difference of the
// two shares what kernels of a task have in common, and in proportion to each share what they have
// not.
struct Calibration {
  std::array<double, bound_count> part_of_time = {};
  double time = 1;  // what does not depend on the parts
  std::array<double, bound_count> part_of_difference = {};
  std::array<double, bound_count> part_of_kernel = {};
  double ratio = 1;
  // Times these errors: four recorded times of five, and four ratios of five, lie inside.
  double time_width = 1;
  double ratio_width = 1;
  double claim_width = 1;  // times the error of a ratio: from there on, claims are made
  double steepness = 1;    // of the confidence, by the ratio over its error
  FittedRange range;
};
extern const Calibration m1_pro_calibration;

// The interval that holds four recorded times of five, for tasks that the model was not fitted to.
struct PredictedInterval {
  double low = 0;
  double high = 0;
};
PredictedInterval interval_of(const PredictedPass& pass,
                              const Calibration& calibration = m1_pro_calibration);

enum class ClaimKind : unsigned { none, faster, slower, last = slower };
std::string_view to_string(ClaimKind kind);

// What can be told of a candidate and a rival.
struct Claim {
  ClaimKind kind = ClaimKind::none;
  double ratio = 1;            // how many times as fast the candidate is
  PredictedInterval interval;  // of the ratio: it holds four recorded ones of five
  double confidence = 0.5;     // how often so sure a prediction has the right direction
  bool is_unlike = false;      // one of the two is unlike what was measured
  // Why none is made: the two are too close for the errors of what they differ in, or one is unlike
  // what was measured. Otherwise what the confidence rests on.
  std::string reason;
};
// Of both at the same sizes, one after another; the ratios count in the geometric mean.
Claim claim_of(std::span<const PredictedPass> candidate, std::span<const PredictedPass> rival,
               const Calibration& calibration = m1_pro_calibration);

}  // namespace msci
