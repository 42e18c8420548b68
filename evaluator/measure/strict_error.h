// How far the results of a stress problem are from their answer in double precision.
#pragma once

#include <future>
#include <optional>
#include <vector>

#include "base/result.h"
#include "tasks/plan/task.h"

namespace msci {

// The error of `got`: the largest difference in any result, each relative to
// that result's largest expected magnitude. NaN where a compared value is NaN.
double strict_error(const std::vector<Expected>& expected, const Outputs& got);

// The elements of the first result that is beyond the tolerance, named as `plan` names its results.
// None if all are within it. Expects that no result holds a further error (Stress::check).
std::optional<Differences> strict_differences(const Plan& plan,
                                              const std::vector<Expected>& expected,
                                              const Outputs& got, double tolerance);

// The elements of the first result that is beyond the tolerance, for people.
struct WrongElements {
  std::size_t result = 0;          // its number among the plan's results
  std::vector<double> errors;      // of each element, in units of what is allowed; NaN of a NaN
  std::vector<std::string> first;  // "y[3] is 7, not 8": the first few that are wrong
};
// The wrong elements of the first result that has any; none if all are within the tolerance.
std::optional<WrongElements> wrong_elements(const Plan& plan, const std::vector<Expected>& expected,
                                            const Outputs& got, double tolerance);

// The same with what the task's check says. Errors: those of the task's reference and check.
Result<double> stress_error(const Task& task, const Size& size, Key key,
                            const Result<std::vector<Expected>>& expected, const Outputs& got);

// The right results of a stress size.
using StressReference = std::shared_future<Result<std::vector<Expected>>>;
// Computes them in a thread of its own, beside the device.
StressReference start_reference(const Task& task, const Size& size, Key key);

}  // namespace msci
