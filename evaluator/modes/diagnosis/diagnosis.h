// What follows the verdict on a kernel that is wrong, for a person who reads it.
#pragma once

#include <string>

#include "evaluator/options/eval_options.h"
#include "evaluator/result/evaluation_result.h"
#include "evaluator/session/candidate.h"
#include "tasks/plan/task.h"

namespace msci {

// Whether the kernel ran to its end and has a wrong result. Other failures say why they failed.
bool is_wrong(const EvaluationResult& result);

// The lines and causes that checked runs of a wrong kernel find, at the task's small size and then
// at the first that is wrong, within about ten seconds; or what to try next. `candidate`: for
// checks.
std::string diagnose(const EvaluatorOptions& options, const Candidate& candidate, const Task& task,
                     const EvaluationResult& result);

}  // namespace msci
