// The key of results that msci-eval keeps and shares: as options, tasks and devices make it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/device/device.h"
#include "evaluator/evaluate.h"
#include "evaluator/evaluate_candidate.h"
#include "evaluator/options/eval_options.h"
#include "evaluator/server/result_key.h"
#include "tasks/plan/task.h"

namespace msci {

// What the result of a source depends on beside its text. `devices`: all that it may come from.
// None if that is unknown: a task is a plan whose files are unknown.
std::optional<ResultKey> key_of_result(const EvaluatorOptions& options,
                                       std::span<const Task* const> tasks,
                                       const std::vector<const Device*>& devices);

// The key of a batch of files. None also if the options say that nothing is shared, or if results
// depend on more than a text and the key: on times, or on other files and kernels.
std::optional<ResultKey> key_of_batch(const EvaluatorOptions& options, const BatchOptions& batch,
                                      std::span<const EvaluationContext> contexts);

}  // namespace msci
