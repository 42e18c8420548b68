// msci-eval --server: connects the server of judgements with tasks, devices and lint.
#pragma once

#include "evaluator/options/eval_options.h"

namespace msci {

// Serves until the input ends or a signal arrives; returns the exit code.
int serve(const EvaluatorOptions& options);

}  // namespace msci
