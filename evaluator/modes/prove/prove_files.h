// msci-eval --prove: proves what holds of kernels for all threads, orders and data, and runs what
// it refutes.
#pragma once

#include <vector>

#include "engine/device/device.h"
#include "evaluator/options/eval_options.h"
#include "tasks/plan/task.h"

namespace msci {

// The device runs checked kernels. Returns the exit code: a kernel is not right if a run shows that
// it is not.
int prove_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                Device& device);

}  // namespace msci
