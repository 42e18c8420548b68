// msci-eval --check --inputs N: searches inputs under which a kernel has a fault.
#pragma once

#include <cstddef>
#include <string>

#include "engine/device/device.h"
#include "evaluator/check/check_result.h"
#include "evaluator/session/candidate.h"
#include "tasks/plan/task.h"

namespace msci {

// A checked run with the plan's own contents and, where it has no fault, at most `most` further
// runs with other contents. The result is that of the run with a fault. Its plan is written to
// `plan_file`, unless that is empty.
CheckResult check_inputs_on(const Candidate& candidate, const Task* task, Device& device,
                            std::size_t most, const std::string& plan_file);

}  // namespace msci
