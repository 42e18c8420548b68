// How many times as fast one kernel is as another, with a confidence interval, and as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/statistics.h"

namespace msci {

// The confidence of a Ratio's interval. For twelve rounds, the interval is from the second smallest
// to the second largest value; it is above 1 in one of 300 comparisons of equal kernels.
constexpr double versus_confidence = 0.99;

// How many times as fast the candidate is, from the times of several rounds.
struct Ratio {
  double median = 1;
  std::optional<ConfidenceInterval> interval;  // none if there are too few rounds
  bool operator==(const Ratio&) const = default;
};

// "3.02 times as fast (99 %: 2.97 to 3.06)"; without an interval, without the parentheses. Two
// decimals: rounds do not agree more closely.
std::string with_interval(const Ratio& ratio, std::string_view unit = {});

// ", not shown to be faster" where the interval does not lie above 1, or is missing; ", slower"
// where it lies below. Empty for a faster one.
std::string_view doubt_about(const Ratio& ratio);

}  // namespace msci
