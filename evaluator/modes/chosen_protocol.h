// How much of a task the options of msci-eval evaluate.
#pragma once

#include <cstdint>

#include "evaluator/evaluate.h"
#include "evaluator/options/eval_options.h"

namespace msci {

// That of --nonce; a fresh one without it.
std::uint64_t nonce_of(const VerdictOptions& options);

// Without the predictor and the checker, which are devices.
EvaluationOptions protocol_of(const EvaluatorOptions& options);

}  // namespace msci
