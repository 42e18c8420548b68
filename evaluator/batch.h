// Evaluates many kernels on one device or several: each free device takes the next kernel.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "evaluator/candidate.h"
#include "evaluator/evaluate.h"
#include "evaluator/explain_failures.h"
#include "evaluator/forms/checked_form.h"
#include "evaluator/forms/predicted_form.h"
#include "evaluator/result/evaluation_result.h"
#include "runtime/device/worker.h"

namespace msci {

// Why a source is rejected if none of several tasks fits.
inline constexpr const char* fits_no_task = "none of the tasks dispatches a kernel of this source";

// How every kernel is evaluated.
struct Assignment {
  std::vector<const Task*> tasks;
  Protocol protocol;
  std::string_view protocol_name;
  const Candidate* rival = nullptr;  // kernels that are right are compared with it
  SharedDevice* checker = nullptr;   // for the checked runs of a thorough strict verdict
  // For the checked run that explains a failure.
  OpenProcessor open_processor = [] { return open_worker_device(cpu_device_name); };
  // For the times of kernels that are right on a chip of Apple, where the protocol does not
  // predict, and for the comparison with the rival.
  const Predictor* predictor = nullptr;
  // Called before each size; from several threads, one at a time.
  std::function<void(const Candidate&, const Task&, std::string_view size)> begins_size;
};

// The result of a candidate on one of its tasks; `task` is null where none of several fits.
EvaluationResult judge(const Candidate& candidate, const Task* task,
                       const EvaluationContext& context, const Assignment& assignment);

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
void judge_all(CandidateQueue& queue, const Assignment& assignment,
               std::span<const EvaluationContext> contexts, const TakeResults& take_results);

}  // namespace msci
