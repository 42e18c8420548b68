// Two kernels compared by the times that a model predicts for an Apple GPU (docs/prediction.md).
#pragma once

#include <string>
#include <vector>

#include "analysis/profile/moved_counters.h"
#include "analysis/profile/predict.h"
#include "evaluator/result/size_result.h"

namespace msci {

class Fields;

// Both kernels at one size.
struct PredictedPair {
  std::string label;
  PredictedTime candidate;
  PredictedTime rival;
  std::vector<MovedCounter> moved = {};  // what explains the difference
  double ratio() const { return rival.seconds / candidate.seconds; }
  bool operator==(const PredictedPair&) const = default;
};

struct PredictedComparison {
  std::string rival;  // its file, or "the seed"
  std::string chip;   // "m1-pro"
  std::vector<PredictedPair> sizes;

  // How many times as fast the candidate is: the geometric mean over the sizes.
  double ratio() const;
  PredictedInterval interval() const { return ratio_interval(ratio()); }
  // Whether a prediction lies outside of what the model was calibrated on. Then neither is_faster()
  // nor is_slower().
  bool is_extrapolated() const;
  // Whether the whole interval lies above, or below, 1.
  bool is_faster() const { return !is_extrapolated() && interval().low > 1; }
  bool is_slower() const { return !is_extrapolated() && interval().high < 1; }
  bool operator==(const PredictedComparison&) const = default;
};

// "1.52 times as fast (80 %: 1.1 to 2.1)"
std::string with_interval(const PredictedComparison& comparison, std::string_view unit);

void describe(Fields& field, MovedCounter& counter);
void describe(Fields& field, PredictedPair& pair);
void describe(Fields& field, PredictedComparison& comparison);

}  // namespace msci
