// How many times as fast one kernel is as another, how surely, and how that is said.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "evaluator/measure/statistics.h"

namespace msci {

// The confidence of a Ratio's interval. Of twelve rounds it takes the second smallest and the
// second largest; two equal kernels have it above 1 in one of 300 comparisons.
constexpr double versus_confidence = 0.99;

// How many times as fast the candidate is, from one row of times in rounds.
struct Ratio {
  double median = 1;
  std::optional<ConfidenceInterval> interval;  // none of too few rounds, or of times that are none
  bool operator==(const Ratio&) const = default;
};

// "3.02 times as fast (99 %: 2.97 to 3.06)", without parentheses where there is no interval. Two
// decimals: turns were never seen to agree better.
std::string with_interval(const Ratio& ratio, std::string_view unit = {});

}  // namespace msci
