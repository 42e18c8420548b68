// msci-eval --page: connects the page with tasks, rules and the programs that judge and lint.
#pragma once

#include "evaluator/options/eval_options.h"

namespace msci {

// Serves the page until a signal arrives; returns the exit code.
int open_page(const EvaluatorOptions& options);

}  // namespace msci
