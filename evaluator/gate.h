// The held-out gate: the best kernel of a search must hold at a size that its generator never saw.
#pragma once

#include <functional>

#include "evaluator/evaluate.h"
#include "evaluator/result/gate_result.h"

namespace msci {

// Why a kernel could not be judged, or none (explain_failures.h); it may explain the outcome.
using Explain = std::function<std::optional<Error>(const Task& task, Outcome& outcome)>;

// Judges the incumbent at the shown sizes, evaluates both at the held-out size, then measures them
// in turns, in this one session. A program that is the seed's own is not measured against itself,
// and generalises where it is right. The task has a held-out size. Errors: ours, or the seed is not
// right there, or what `explain` says about the incumbent.
Result<GateResult> run_gate(const Task& task, const Translation& seed, const Translation& incumbent,
                            const EvaluationContext& context, Repeats repeats,
                            const Explain& explain = {});
// Of an incumbent that came to this at the shown sizes, or was refused before; not Scored.
GateResult report_incorrect(const Task& task, const Device& device, const Outcome& outcome);

}  // namespace msci
