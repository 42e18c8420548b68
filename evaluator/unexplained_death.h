// Whose fault it is that the process of a kernel died.
#pragma once

#include <optional>

#include "evaluator/candidate.h"
#include "evaluator/device/device.h"
#include "evaluator/result/outcome.h"

namespace msci {

// Where the death of its process is all that is wrong with a kernel, runs it once in the checked
// mode, at the task's small size. An Error, that the kernel could not be judged, if that finds no
// fault in it: drivers' compilers die, too. None where the kernel is to blame, and for a translated
// program, which has no checks.
std::optional<Error> unexplained_death(const Candidate& candidate, const Task& task,
                                       const Outcome& outcome, Device& device);

}  // namespace msci
