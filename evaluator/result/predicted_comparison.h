// Two kernels compared by the times that a model predicts for an Apple GPU (docs/prediction.md).
#pragma once

#include <string>
#include <vector>

#include "analysis/profile/moved_counters.h"
#include "analysis/profile/predict.h"
#include "evaluator/result/described.h"
#include "evaluator/result/size_result.h"

namespace msci {

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

// The members of a PredictedTime that a comparison shows.
template <typename Fields, typename Value>
void describe_side(Fields& field, const char* seconds, const char* bound_by, const char* outside,
                   Value& time) {
  field(seconds, time.seconds, "of a pass, as predicted");
  field.choice(bound_by, time.bound_by, Bound::last, "what that pass mostly waits for");
  field(outside, time.extrapolated,
        "whether that prediction is outside of what the model was fitted to");
}

template <typename Fields, Described<MovedCounter> Value>
void describe(Fields& field, Value& counter) {
  field.required("counter", counter.counter, "as in msci-eval --schema profile");
  field("candidate", counter.candidate, "total of a pass");
  field("rival", counter.rival, "total of a pass of the rival");
}

template <typename Fields, Described<PredictedPair> Value>
void describe(Fields& field, Value& pair) {
  field.required("label", pair.label, "of the size");
  field.derived("ratio", pair.ratio(), "how many times as fast as the rival");
  describe_side(field, "candidate_seconds", "candidate_bound_by", "candidate_extrapolated",
                pair.candidate);
  describe_side(field, "rival_seconds", "rival_bound_by", "rival_extrapolated", pair.rival);
  field("moved", pair.moved,
        "counters that differ by a tenth or more; those first whose part of the time differs most");
}

template <typename Fields, Described<PredictedComparison> Value>
void describe(Fields& field, Value& comparison) {
  field("rival", comparison.rival, "the kernel to compare with");
  field("chip", comparison.chip, "that the prediction is for");
  const auto interval = comparison.interval();
  field.derived("ratio", comparison.ratio(), "how many times as fast as the rival, as predicted");
  field.derived("low", interval.low, "of an interval that holds four recorded ratios of five");
  field.derived("high", interval.high, "the upper end of that interval");
  field.derived("extrapolated", comparison.is_extrapolated(),
                "whether a prediction is outside of what the model was fitted to");
  field.derived("faster", comparison.is_faster(),
                "whether the whole interval lies above 1, and no prediction is outside");
  field("sizes", comparison.sizes, "the same at each size");
}

}  // namespace msci
