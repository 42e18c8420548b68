#include "evaluator/modes/judge_each.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "evaluator/batch.h"
#include "evaluator/modes/exit_codes.h"
#include "evaluator/modes/selected_candidates.h"
#include "evaluator/progress.h"

namespace msci {
namespace {

int print_judged(const Judged& judged) {
  if (judged.error) report_error(*judged.error);
  fmt::print("{}", judged.output);
  std::fflush(stdout);
  if (judged.error) return could_not_check;
  return judged.is_right ? all_right : not_right;
}

}  // namespace

int judge_each(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
               TranslationPurpose purpose, const Judge& judge) {
  CandidateQueue queue(origins_of(options, tasks), gate_rules(),
                       queue_request_of(options, tasks.front(), purpose));
  Progress progress(queue.size());
  int status = all_right;
  while (const auto candidate = queue.take()) {
    for (const auto* task : tasks_of(*candidate, tasks)) {
      progress.show(candidate->name);
      const auto judged = judge(*candidate, task);
      progress.erase();
      status = std::max(status, print_judged(judged));
    }
    progress.step_done();
  }
  return status;
}

}  // namespace msci
