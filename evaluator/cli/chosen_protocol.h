// How much of a task the options of msci-eval evaluate.
#pragma once

#include <cstdint>

#include "evaluator/cli/eval_options.h"
#include "evaluator/evaluate.h"

namespace msci {

// That of --nonce; a fresh one without it.
std::uint64_t nonce_of(const EvaluatorOptions& options);

// Without the predictor and the checker, which are devices.
EvaluationOptions protocol_of(const EvaluatorOptions& options);

}  // namespace msci
