// Two kernels compared by the times that a model predicts for an Apple GPU
// (docs/concepts/prediction.md).
#pragma once

#include <string>
#include <vector>

#include "analysis/profile/claim.h"
#include "analysis/profile/moved_counters.h"
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

  // What the predictions can tell of all sizes together.
  Claim claim() const;
  bool operator==(const PredictedComparison&) const = default;
};

// "1.52 times as fast (80 %: 1.1 to 2.1), faster with a confidence of 97 %"; "1.05 times as fast
// (80 %: 0.9 to 1.2), no claim: too close ..."
std::string text_of(const Claim& claim, std::string_view unit);

void describe(Fields& field, MovedCounter& counter);
void describe(Fields& field, PredictedPair& pair);
void describe(Fields& field, PredictedComparison& comparison);

}  // namespace msci
