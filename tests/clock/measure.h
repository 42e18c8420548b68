// What predictions are worth on tasks that they have never seen.
#pragma once

#include <string>
#include <vector>

#include "tests/clock/fit.h"
#include "tests/clock/profiles.h"

namespace msci {

// Markdown: for each task, by constants and a calibration that were fitted without it: how many
// pairs of kernels are in order, where equal predictions count as wrong; how many have a claim, and
// how many claims are right; how many times lie in their intervals; and the median error. Then the
// means over the tasks with their standard errors, the coverage of thirds of the tasks, and which
// tasks' kernels were looked at. `as_built`: by the calibration of this build, which may have seen
// the task.
std::string measure_table(const std::vector<ProfiledRecord>& records,
                          const TaskConstants& constants, bool as_built = false);

// The largest wrong claims: one line for each pair.
std::string wrong_claims(const std::vector<ProfiledRecord>& records,
                         const TaskConstants& constants);

// The calibration of all records, each predicted without its task.
std::string calibration_text(const std::vector<ProfiledRecord>& records,
                             const TaskConstants& constants);

}  // namespace msci
