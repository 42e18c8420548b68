#include "evaluator/cli/check_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <variant>

#include "evaluator/batch.h"
#include "evaluator/checked_run.h"
#include "evaluator/cli/exit_codes.h"
#include "evaluator/cli/selected_candidates.h"
#include "evaluator/progress.h"
#include "evaluator/result/result_text.h"

namespace msci {
namespace {

// The checked mode: one pass at the task's small size, with every access checked.
std::variant<Checked, Rejected, Error> check_on(const Prepared& prepared, const Task* task,
                                                Device& device) {
  if (!prepared.translation) return Rejected{Rejected::Stage::compile, prepared.rejection};
  if (!task) return Rejected{Rejected::Stage::pipeline, fits_no_task};
  if (auto refusal = refuse_pipelines(*task, *prepared.translation)) return *std::move(refusal);
  const auto plan = task->plan(task->small, *prepared.translation);
  if (!plan) return Rejected{Rejected::Stage::pipeline, plan.error().message};
  auto checked = check(*plan, *prepared.translation, device);
  if (!checked) return checked.error();
  if (checked->failure && may_be_the_devices(*checked->failure))
    return Error{fmt::format("could not check {}: {}", task->name, checked->failure->message)};
  return *std::move(checked);
}

CheckResult check_on(const Candidate& candidate, const Task* task, Device& device) {
  CheckResult result{.file = candidate.name, .device = device.info().name, .result = Error{}};
  if (task) {
    result.task = task->name;
    result.size = task->small.label;
  }
  if (!candidate.prepared) {
    result.result = candidate.prepared.error();
    return result;
  }
  result.diagnostics = candidate.prepared->diagnostics;
  result.result = check_on(*candidate.prepared, task, device);
  return result;
}

int print(const CheckResult& result, bool json) {
  const auto* error = std::get_if<Error>(&result.result);
  if (error) report_error(*error);
  if (json)
    fmt::print("{}\n", to_json(result));
  else if (!error)
    fmt::print("{}", to_text(result, wants_colour()));
  std::fflush(stdout);
  if (error) return could_not_check;
  const auto* checked = std::get_if<Checked>(&result.result);
  return checked && checked->clean() ? all_right : not_right;
}

}  // namespace

int check_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                Device& device) {
  CandidateQueue queue(origins_of(options, tasks),
                       {.rules = gate_rules(),
                        .purpose = TranslationPurpose::checking,
                        .specialisation = specialisation_of(options, tasks.front())});
  Progress progress(queue.size());
  int status = all_right;
  while (const auto candidate = queue.take()) {
    for (const auto* task : tasks_of(*candidate, tasks)) {
      progress.show(candidate->name);
      const auto result = check_on(*candidate, task, device);
      progress.erase();
      status = std::max(status, print(result, options.json));
    }
    progress.step_done();
  }
  return status;
}

}  // namespace msci
