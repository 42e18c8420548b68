// msci-eval --check: runs kernels once with every access checked, and prints what was found.
#pragma once

#include <vector>

#include "evaluator/options/eval_options.h"
#include "plan/task.h"
#include "runtime/device/device.h"

namespace msci {

// Returns the exit code.
int check_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                Device& device);

}  // namespace msci
