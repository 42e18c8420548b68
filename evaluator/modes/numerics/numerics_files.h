// msci-eval --numerics: whether results depend on the freedom that fast math leaves.
#pragma once

#include <vector>

#include "engine/device/device.h"
#include "evaluator/options/eval_options.h"
#include "tasks/plan/task.h"

namespace msci {

// Runs each selected kernel at the first size under each meaning of fast math, and prints where
// results leave the task's tolerance. Returns the worst exit code.
int numerics_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                   Device& device);

}  // namespace msci
