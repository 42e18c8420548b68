#include "evaluator/result/predicted_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/statistics.h"
#include "evaluator/result/json_fields.h"

namespace msci {
namespace {

// The members of a PredictedTime that a comparison shows.
void describe_side(Fields& field, const char* seconds, const char* bound_by, const char* outside,
                   PredictedTime& time) {
  field(seconds, time.seconds, "of a pass, as predicted");
  field.choice(bound_by, time.bound_by, Bound::last, "what that pass mostly waits for");
  field(outside, time.extrapolated,
        "whether that prediction is outside of what the model was fitted to");
}

}  // namespace

double PredictedComparison::ratio() const {
  std::vector<double> ratios;
  for (const auto& size : sizes) ratios.push_back(size.ratio());
  return ratios.empty() ? 1 : geometric_mean(ratios);
}

bool PredictedComparison::is_extrapolated() const {
  return std::any_of(sizes.begin(), sizes.end(), [](const PredictedPair& size) {
    return size.candidate.extrapolated || size.rival.extrapolated;
  });
}

std::string with_interval(const PredictedComparison& comparison, std::string_view unit) {
  const auto [low, high] = comparison.interval();
  return fmt::format(
      "{:.2f} {} (80 %: {:.2f} to {:.2f}{})", comparison.ratio(), unit, low, high,
      comparison.is_extrapolated() ? "; outside of what the model was fitted to" : "");
}

void describe(Fields& field, MovedCounter& counter) {
  field.required("counter", counter.counter, "as in msci-eval --schema profile");
  field("candidate", counter.candidate, "total of a pass");
  field("rival", counter.rival, "total of a pass of the rival");
}

void describe(Fields& field, PredictedPair& pair) {
  field.required("label", pair.label, "of the size");
  field.derived("ratio", pair.ratio(), "how many times as fast as the rival");
  describe_side(field, "candidate_seconds", "candidate_bound_by", "candidate_extrapolated",
                pair.candidate);
  describe_side(field, "rival_seconds", "rival_bound_by", "rival_extrapolated", pair.rival);
  field("moved", pair.moved,
        "counters that differ by a tenth or more; those first whose part of the time differs most");
}

void describe(Fields& field, PredictedComparison& comparison) {
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
