// The files of --verify-result and --perf-result.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "evaluator/batch.h"
#include "evaluator/options/eval_options.h"

namespace msci {

// Checks the options of these files, and removes those that this run writes, so that an old file
// cannot pass for a new one. Reads the file that --perf-result times into its origin. Errors: not
// exactly one file and one task, or --perf-result without a verify result that allows it.
[[nodiscard]] std::optional<Error> prepare_result_files(const EvaluatorOptions& options,
                                                        std::vector<CandidateOrigin>& origins);

// Writes the files. For --perf-result, it evaluates the task's seed, too.
[[nodiscard]] std::optional<Error> write_result_files(const EvaluatorOptions& options,
                                                      const EvaluationResult& result,
                                                      const Candidate& candidate, const Task& task,
                                                      const EvaluationContext& context,
                                                      const BatchOptions& batch);

}  // namespace msci
