// Evaluates many kernels on one device or several: each free device takes the next kernel.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "evaluator/evaluate_candidate.h"

namespace msci {

// The tasks of a candidate's results: a seed's own; of several, those that dispatch one of its
// kernels; one null pointer without tasks.
std::vector<const Task*> tasks_of(const Candidate& candidate,
                                  const std::vector<const Task*>& tasks);

struct TaskResult {
  const Task* task = nullptr;
  EvaluationResult result;
};

// Receives the results of a candidate, and the context that it was judged in.
using TakeResults =
    std::function<void(const Candidate&, const std::vector<TaskResult>&, const EvaluationContext&)>;

// Judges all candidates of the queue in at least one context, and passes their results on in the
// queue's order, from one thread at a time. Called by the main thread, which alone takes from the
// queue; each of several contexts has a thread of its own.
void judge_all(CandidateQueue& queue, const BatchOptions& options,
               std::span<const EvaluationContext> contexts, const TakeResults& take_results);

}  // namespace msci
