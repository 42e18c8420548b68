#include "evaluator/score/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>

namespace msci {
namespace {

using Value = long double;

Value value_at(const ArrayView& array, std::size_t i) {
  const auto bytes = bytes_of(array.dtype);
  return value_of(array.dtype, array.data.subspan(i * bytes, bytes));
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

// Why two arrays cannot be compared value by value; empty if they can.
std::string different_form(const ArrayView& actual, const ArrayView& golden) {
  if (actual.dtype != golden.dtype)
    return fmt::format("its elements are {}, not {}", to_string(actual.dtype),
                       to_string(golden.dtype));
  if (actual.shape != golden.shape)
    return fmt::format("its shape is {}, not {}", shape_text(actual.shape),
                       shape_text(golden.shape));
  if (const auto bytes = golden.count() * bytes_of(golden.dtype); actual.data.size() != bytes)
    return fmt::format("it has {} bytes, not {}", actual.data.size(), bytes);
  return {};
}

// What the rule says of one array of values; `zeros` stands for an array that has none of its own.
class Judgement {
 public:
  Judgement(Dtype dtype) : dtype_(dtype), tolerance_(tolerance_of(dtype)) {}

  void see(std::size_t place, Value actual, Value golden) {
    if (!wrong_.empty()) return;
    if (std::isnan(actual) != std::isnan(golden)) {
      wrong_ = fmt::format("element {} is {}NaN", place, std::isnan(golden) ? "not " : "");
    } else if (std::isinf(actual) || std::isinf(golden)) {
      // Compares signs as well; a NaN cannot stand opposite here.
      if (actual != golden)
        wrong_ = fmt::format("element {} is {:g}, not {:g}", place, static_cast<double>(actual),
                             static_cast<double>(golden));
    } else if (dtype_ == Dtype::boolean) {
      if (actual != golden)
        wrong_ = fmt::format("element {} is {}, not {}", place, actual != 0, golden != 0);
    } else if (!std::isnan(golden)) {
      measure(actual, golden);
    }
  }

  ComparisonResult conclusion() const {
    ComparisonResult result{.tolerance = tolerance_of(dtype_)};
    if (compared_ > 0) {
      result.mere = static_cast<double>(sum_ / static_cast<Value>(compared_));
      result.mare = static_cast<double>(largest_);
    }
    result.reason = wrong_.empty() ? too_far(result) : wrong_;
    if (result.reason.empty()) result.answer = ComparisonResult::Answer::passed;
    return result;
  }

 private:
  void measure(Value actual, Value golden) {
    const Value error = std::abs(actual - golden) / std::max(std::abs(golden), tolerance_);
    sum_ += error;
    largest_ = std::max(largest_, error);
    ++compared_;
  }

  std::string too_far(const ComparisonResult& result) const {
    if (result.mere && !(*result.mere < result.tolerance))
      return fmt::format("the mean relative error is {:.3e}, not below {:.3e}", *result.mere,
                         result.tolerance);
    if (result.mare && !(*result.mare < 10 * result.tolerance))
      return fmt::format("the largest relative error is {:.3e}, not below {:.3e}", *result.mare,
                         10 * result.tolerance);
    return {};
  }

  Dtype dtype_;
  Value tolerance_;
  Value sum_ = 0;
  Value largest_ = 0;
  std::size_t compared_ = 0;
  std::string wrong_;  // the first place that no tolerance mends
};

// What makes a golden prove nothing; empty if it proves something.
std::string weakness(const ArrayView& golden, ComparisonRule rule, bool zeros_pass) {
  if (golden.count() == 0) return "nothing to compare";
  if (!rule.golden_may_have_nan)
    for (std::size_t i = 0; i < golden.count(); ++i)
      if (std::isnan(value_at(golden, i)))
        return fmt::format("element {} of the golden array is NaN", i);
  return zeros_pass ? "zeros would pass, too: the golden values are below the tolerance's floor"
                    : "";
}

}  // namespace

std::size_t ArrayView::count() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

ComparisonResult compare(const ArrayView& actual, const ArrayView& golden, ComparisonRule rule) {
  assert(golden.data.size() == golden.count() * bytes_of(golden.dtype) && "a whole golden array");
  if (auto reason = different_form(actual, golden); !reason.empty())
    return {.reason = std::move(reason), .tolerance = tolerance_of(golden.dtype)};
  Judgement judgement(golden.dtype);
  Judgement of_zeros(golden.dtype);
  for (std::size_t i = 0; i < golden.count(); ++i) {
    const auto expected = value_at(golden, i);
    judgement.see(i, value_at(actual, i), expected);
    of_zeros.see(i, 0, expected);
  }
  auto result = judgement.conclusion();
  if (result.answer == ComparisonResult::Answer::failed) return result;
  const bool zeros_pass = of_zeros.conclusion().answer == ComparisonResult::Answer::passed;
  result.reason = weakness(golden, rule, zeros_pass);
  if (!result.reason.empty()) result.answer = ComparisonResult::Answer::not_certified;
  return result;
}

}  // namespace msci
