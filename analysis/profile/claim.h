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
  // The share of it that remains if Apple's compiler keeps all values of a thread in registers.
  double in_registers = 1;
  std::array<double, bound_count> parts = {};  // the share of each, if all took their time alone
  std::string unlike;  // why it is unlike what was measured; empty if it is not
  bool operator==(const PredictedPass&) const = default;
};
PredictedPass predicted_pass(const Profile& profile, const Prediction& prediction,
                             const FittedRange& range);

// How wrong predictions were, on recorded kernels of tasks that were left out of the fit. Errors
// and widths are those of logarithms. Errors of a time add as squares; what a part adds is in
// proportion to its share.
struct Calibration {
  std::array<double, bound_count> part_of_time = {};
  double time = 1;         // what does not depend on the parts
  double time_width = 1;   // times these errors: four recorded times of five lie inside
  double ratio_width = 1;  // four recorded ratios of five are as near to the predicted ones
  double claim_width = 1;  // the least ratio of a claim
  double steepness = 1;    // of the confidence, by the ratio
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

// The logarithm of how many times as fast a candidate is as a rival, in the mean over sizes.
struct LogRatio {
  double estimated = 0;     // with the registers and spills that the profile estimates
  double in_registers = 0;  // if Apple's compiler keeps all values of both in registers
  // How far it is from 0 in the direction of the estimate, either way; 0 if the two disagree.
  double certain() const;
};
// Of both at the same sizes, one after another.
LogRatio log_ratio(std::span<const PredictedPass> candidate, std::span<const PredictedPass> rival);

enum class ClaimKind : unsigned { none, faster, slower, last = slower };
std::string_view to_string(ClaimKind kind);

// Why no claim is made.
enum class Doubt : unsigned {
  none,
  too_close,  // the ratio is too near to 1 for the errors of predictions
  registers,  // the direction depends on what Apple's compiler keeps in registers
  unlike,     // one of the two is unlike what was measured
};

// What can be told of a candidate and a rival.
struct Claim {
  ClaimKind kind = ClaimKind::none;
  double ratio = 1;            // how many times as fast the candidate is
  PredictedInterval interval;  // of the ratio: it holds four recorded ones of five
  double confidence = 0.5;     // how often so sure a prediction has the right direction
  Doubt doubt = Doubt::too_close;
  std::string reason;  // why none is made; otherwise what the confidence rests on
};
// Of both at the same sizes, one after another.
Claim claim_of(std::span<const PredictedPass> candidate, std::span<const PredictedPass> rival,
               const Calibration& calibration = m1_pro_calibration);

}  // namespace msci
