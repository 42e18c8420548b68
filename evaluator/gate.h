// The held-out gate: the best kernel of a search must hold at a size that its generator never saw.
#pragma once

#include <functional>

#include "evaluator/evaluate.h"
#include "evaluator/result/gate_result.h"
#include "evaluator/session/explain_failures.h"

namespace msci {

// Compares the incumbent with the seed by prediction, at the sizes of the task.
using ComparePredicted = std::function<Result<PredictedComparison>(const Task& task)>;

// How the gate judges the incumbent.
struct GateOptions {
  Repeats repeats = {};  // at the held-out size
  // With a nonce, the incumbent must pass the strict verdict, too.
  std::optional<std::uint64_t> strict_nonce = std::nullopt;
  StrictOptions strict = {};
  Device* processor = nullptr;  // as in EvaluationOptions
  OpenProcessor open_processor =
      nullptr;                         // explains failures (explain_failures.h); null: they count
  ComparePredicted predict = nullptr;  // null without a prediction
};

// Judges the incumbent at the shown sizes, evaluates both at the held-out size, then measures them
// in turns, in this one session, and by prediction where the options say so. A program that equals
// the seed's is not measured against itself, and generalises if it is correct. The task has a
// held-out size, and the seed has a translation. Errors: msci's own, the seed is not correct there,
// or a failure of the incumbent that says nothing about it.
Result<GateResult> run_gate(const Task& task, const Candidate& seed, const Candidate& incumbent,
                            const EvaluationContext& context, const GateOptions& options);

}  // namespace msci
