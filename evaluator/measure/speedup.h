// How many times as fast one kernel is as another, with a confidence interval, and as text.
#pragma once

#include <string>
#include <string_view>

#include "base/statistics.h"

namespace msci {

// The confidence of a Ratio's interval. For twelve rounds, the interval is from the second smallest
// to the second largest value; it is above 1 in one of 300 comparisons of equal kernels.
constexpr double versus_confidence = 0.99;

// How many times as fast the candidate is, from the times of several rounds in turns. Without an
// interval there is no ratio: it would say nothing about how surely it holds.
struct Ratio {
  double median = 1;
  ConfidenceInterval interval;
  bool operator==(const Ratio&) const = default;
};

// Of two sources with one program, which need no measurement.
constexpr Ratio same_program_ratio{1, {1, 1}};

// "3.02 times as fast (99 %: 2.97 to 3.06)"; "1 times as fast (the same program)". Two decimals:
// rounds do not agree more closely.
std::string with_interval(const Ratio& ratio, std::string_view unit = {});

// ", not shown to be faster" where the interval does not lie above 1; ", slower" where it lies
// below. Empty for a faster one and for the same program.
std::string_view doubt_about(const Ratio& ratio);

}  // namespace msci
