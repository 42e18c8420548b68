// msci-eval --check: runs kernels once with every access checked, and prints what was found.
#pragma once

#include <string>
#include <vector>

#include "engine/device/device.h"
#include "evaluator/check/check_result.h"
#include "evaluator/options/eval_options.h"
#include "evaluator/session/candidate.h"
#include "tasks/plan/task.h"

namespace msci {

// One pass of a candidate, compiled for checking, at the task's small size, which also tests what
// is assumed: by the conditions, and by comments of the source.
CheckResult check_candidate_on(const Candidate& candidate, const Task* task, Device& device,
                               const std::vector<std::string>& assumed = {});

// Returns the exit code.
int check_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                Device& device);

}  // namespace msci
