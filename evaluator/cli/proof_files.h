// The files of --verify-result and --perf-result.
#pragma once

#include <optional>
#include <variant>

#include "base/result.h"
#include "evaluator/batch.h"
#include "evaluator/cli/eval_options.h"

namespace msci {

// Checks the options of proofs, and removes the files that this run writes, so that an old file
// cannot pass for a new one. Errors: not exactly one file and one task, or --perf-result without a
// verify result that allows it.
std::optional<Error> prepare_proof(const EvaluatorOptions& options);

// Writes the files. For --perf-result, it evaluates the task's seed, too.
Result<std::monostate> write_proof(const EvaluatorOptions& options, const EvaluationResult& result,
                                   const Candidate& candidate, const Task& task,
                                   const EvaluationContext& context, const BatchOptions& batch);

}  // namespace msci
