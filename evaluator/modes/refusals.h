// Which options do not fit each other or the tasks that they name. What excludes or needs another
// option stands in the rows of the options.
#pragma once

#include <optional>
#include <span>

#include "base/result.h"
#include "evaluator/options/eval_options.h"
#include "tasks/plan/task.h"

namespace msci {

// Why the options do not say what a batch, --emit or a judgement needs.
[[nodiscard]] std::optional<Error> refuse_incomplete(const EvaluatorOptions& options);

// Why the options do not fit these tasks.
[[nodiscard]] std::optional<Error> refuse(const EvaluatorOptions& options,
                                          std::span<const Task* const> tasks);

}  // namespace msci
