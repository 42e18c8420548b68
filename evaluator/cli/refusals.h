// Which options do not fit the tasks that they name.
#pragma once

#include <optional>
#include <span>

#include "base/result.h"
#include "evaluator/options/eval_options.h"
#include "plan/task.h"

namespace msci {

// Why the options do not fit these tasks. What excludes or needs another option stands in the rows
// of the options.
std::optional<Error> refuse(const EvaluatorOptions& options, std::span<const Task* const> tasks);

}  // namespace msci
