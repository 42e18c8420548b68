// The dtype rule: whether an array is right, for outputs of any task that has no rule of its own.
//
// With g the golden value, a the actual one and t = tolerance_of(dtype):
//   MERE = mean(|a - g| / max(|g|, t)) < t   and   MARE = max(same) < 10 t
// over the places where both are finite. Before that: same dtype and shape, NaN at the same places,
// infinities at the same places with the same signs; booleans are equal or not. Where |g| < t the
// rule measures |a - g| / t, so that goldens near zero let zeros pass: what an array of zeros would
// pass is not certified.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluator/score/dtype.h"

namespace msci {

// Elements in row-major order; no shape is one element.
struct ArrayView {
  Dtype dtype = Dtype::float32;
  std::vector<std::size_t> shape;
  std::span<const std::byte> data;

  std::size_t count() const;  // what the shape says
};

struct ComparisonResult {
  enum class Answer {
    passed,
    failed,
    not_certified,  // it passes, and so would anything: nothing is shown by that
  };
  Answer answer = Answer::failed;
  std::string reason;          // of anything but `passed`, a sentence
  std::optional<double> mere;  // none where no place was compared by value
  std::optional<double> mare;
  double tolerance = 0;  // t
  bool operator==(const ComparisonResult&) const = default;
};

struct ComparisonRule {
  bool golden_may_have_nan = false;  // else such a golden certifies nothing
};

ComparisonResult compare(const ArrayView& actual, const ArrayView& golden,
                         ComparisonRule rule = {});

}  // namespace msci
