// msci-eval --profile: what kernels do, and what bounds them on an Apple GPU.
#pragma once

#include <vector>

#include "engine/device/device.h"
#include "evaluator/options/eval_options.h"
#include "evaluator/profile/profile_result.h"
#include "evaluator/session/candidate.h"
#include "tasks/plan/task.h"

namespace msci {

// A candidate, compiled for profiling, at each size of the task.
ProfileResult profile_candidate_on(const Candidate& candidate, const Task* task, const Chip& chip,
                                   Device& device);

// Profiles the files on their tasks and prints the results. The exit status.
int profile_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                  Device& device);

}  // namespace msci
