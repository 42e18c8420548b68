// The held-out gate: the best kernel of a search must hold at a size that its generator never saw.
#pragma once

#include <functional>

#include "evaluator/evaluate.h"
#include "evaluator/result/gate_result.h"

namespace msci {

// Compares the incumbent with the seed by prediction, at the sizes of the task.
using ComparePredicted = std::function<Result<PredictedComparison>(const Task& task)>;

// How the gate judges the incumbent.
struct GateProtocol {
  Repeats repeats = {};
  // With a nonce, the incumbent must pass the strict verdict, too.
  std::optional<std::uint64_t> strict_nonce = std::nullopt;
  Scrutiny scrutiny = {};
  ComparePredicted predict = nullptr;  // null without a prediction
};

// Why a kernel could not be judged, or none (explain_failures.h); it may explain the outcome.
using Explain = std::function<std::optional<Error>(const Task& task, Evaluation& evaluation)>;

// Judges the incumbent at the shown sizes, evaluates both at the held-out size, then measures them
// in turns, in this one session, and by prediction where the protocol says so. A program that
// equals the seed's is not measured against itself, and generalises if it is correct. The task has
// a held-out size. Errors: msci's own, the seed is not correct there, or what `explain` says about
// the incumbent.
Result<GateResult> run_gate(const Task& task, const Translation& seed, const Translation& incumbent,
                            const EvaluationContext& context, const GateProtocol& protocol,
                            const Explain& explain = {});
// The result for an incumbent with this outcome at the shown sizes: Rejected or Wrong.
GateResult report_incorrect(const Task& task, const Device& device, const Outcome& outcome);

}  // namespace msci
