// Evaluates the kernels that the options of msci-eval select, and prints the results.
#pragma once

#include <vector>

#include "evaluator/batch.h"
#include "evaluator/options/eval_options.h"

namespace msci {

// Prints each result as soon as it is there; returns the exit code. `origins`: origins_of() the
// options.
int evaluate_files(const EvaluatorOptions& options, std::vector<CandidateOrigin> origins,
                   BatchOptions batch, const std::vector<EvaluationContext>& contexts);

// The exit code for one result; with `strict`, the strict verdict decides, too.
int exit_status(const EvaluationResult& result, bool strict);

}  // namespace msci
