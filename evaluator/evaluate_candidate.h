// Evaluates one candidate on one of its tasks: verdicts, times, predictions, and the comparison
// with a rival.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "engine/device/worker.h"
#include "evaluator/evaluate.h"
#include "evaluator/result/evaluation_result.h"
#include "evaluator/session/candidate.h"
#include "evaluator/session/explain_failures.h"

namespace msci {

// How every kernel of a batch is evaluated.
struct BatchOptions {
  std::vector<const Task*> tasks;
  EvaluationOptions evaluation;
  std::string_view protocol_name;
  const Candidate* rival = nullptr;  // kernels that are right are compared with it
  bool is_in_turns = true;           // by times in turns; if not, by predictions alone
  // Whether the cache keeps what the strict verdict refuses, by program.
  bool remembers_refusals = false;
  std::vector<std::string> judged_programs = {};  // digests; kernels with one are not judged
  // For the checked run that explains a failure.
  OpenProcessor open_processor = [] { return open_worker_device(cpu_device_name); };
  // Called before each size; from several threads, one at a time.
  std::function<void(const Candidate&, const Task&, std::string_view size)> begins_size = nullptr;
};

// The result of a candidate on one of its tasks; `task` is null where none of several fits. Where
// the options predict times, those of a candidate that counts come from the judged runs, and those
// of others from a program with counters beside it.
EvaluationResult judge(const Candidate& candidate, const Task* task,
                       const EvaluationContext& context, const BatchOptions& options);

}  // namespace msci
