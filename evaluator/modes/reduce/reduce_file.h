// msci-eval --reduce: the smallest kernel that still has a finding, a refusal or a wrong result.
#pragma once

#include "engine/device/device.h"
#include "evaluator/options/eval_options.h"
#include "tasks/plan/task.h"

namespace msci {

// Shrinks the FILE and writes what is left to --save-kernel or to standard output. `task` and
// `device` are null where none is given: findings of lint and refusals need none. Returns the exit
// code: 0, 1 if the kernel does not show what it must keep, 2 for errors.
int reduce_file(const EvaluatorOptions& options, const Task* task, Device* device);

}  // namespace msci
