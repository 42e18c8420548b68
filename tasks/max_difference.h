// Verdicts by the largest difference. A NaN anywhere makes the difference NaN and the output wrong.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "tasks/plan/task.h"

namespace msci {

// max |got - expected|, each difference rounded to float; NaN where any is. Both have the same
// length.
double max_difference(std::span<const float> got, std::span<const float> expected);

// max |value|.
double max_magnitude(std::span<const float> values);

// Correct if the error is at most `tolerance`; a NaN is not.
Verdict within(std::string error_kind, double error_value, double tolerance);

// The same of max_difference(got, expected); a wrong verdict names the first element beyond the
// tolerance. `components`: "xyz" if three numbers after each other are one element.
Verdict within(std::string error_kind, std::span<const float> got, std::span<const float> expected,
               double tolerance, std::string_view components = {});

// Task::judge by the first result, an array of floats: within `absolute`, plus `relative` of the
// largest expected magnitude.
decltype(Task::judge) within_first(std::string error_kind, double absolute, double relative);

}  // namespace msci
