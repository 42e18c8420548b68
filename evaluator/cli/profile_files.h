// msci-eval --profile: what kernels do, and what bounds them on an Apple GPU.
#pragma once

#include <vector>

#include "evaluator/cli/eval_options.h"
#include "evaluator/device/device.h"
#include "evaluator/plan/task.h"

namespace msci {

// Profiles the files on their tasks and prints the results. The exit status.
int profile_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                  Device& device);

}  // namespace msci
