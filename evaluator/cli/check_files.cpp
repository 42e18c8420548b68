#include "evaluator/cli/check_files.h"

#include <fmt/format.h>

#include <cstdio>
#include <variant>
#include <vector>

#include "evaluator/batch.h"
#include "evaluator/cli/exit_codes.h"
#include "evaluator/cli/judge_each.h"
#include "evaluator/cli/open_devices.h"
#include "evaluator/explain_failures.h"
#include "evaluator/result/result_text.h"
#include "instrument/check/result/check_sarif.h"
#include "instrument/check/result/checked_run.h"

namespace msci {
namespace {

// Whether the answer of a kernel with a race depends on the order of its threads, without checks.
std::optional<Error> confirm_race(const Candidate& candidate, const Task& task, Device& device,
                                  Checked& checked) {
  if (!checked.has_race() || !candidate.prepare_as) return std::nullopt;
  const auto plain = candidate.prepare_as(TranslationPurpose::running);
  if (!plain) return plain.error();
  if (!plain->translation) return std::nullopt;
  auto plan = task.plan(task.small, *plain->translation);
  if (!plan) return std::nullopt;
  auto reruns = rerun_in_orders(*std::move(plan), *plain->translation, device);
  if (!reruns) return reruns.error();
  checked.reruns = *std::move(reruns);
  return std::nullopt;
}

// The checked mode: one pass at the task's small size, with every access checked.
std::variant<Checked, Rejected, Error> check_candidate(const Candidate& candidate,
                                                       const Prepared& prepared, const Task* task,
                                                       Device& device) {
  if (!prepared.translation) return Rejected{Rejected::Stage::compile, prepared.rejection};
  if (!task) return Rejected{Rejected::Stage::pipeline, fits_no_task};
  if (auto refusal = refuse_pipelines(*task, *prepared.translation)) return *std::move(refusal);
  const auto plan = task->plan(task->small, *prepared.translation);
  if (!plan && !task->plan_file.empty()) return plan.error();
  if (!plan) return Rejected{Rejected::Stage::pipeline, plan.error().message};
  auto checked = check(*plan, *prepared.translation, device);
  if (!checked) return checked.error();
  if (auto error = blame_device(checked->failure, "check", task->name)) return *std::move(error);
  take_suppressed(*checked, prepared.allowed);
  if (auto error = confirm_race(candidate, *task, device, *checked)) return *std::move(error);
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
  result.result = check_candidate(candidate, *candidate.prepared, task, device);
  return result;
}

Judged judged(const CheckResult& result, const EvaluatorOptions& options) {
  const auto* error = std::get_if<Error>(&result.result);
  const auto* checked = std::get_if<Checked>(&result.result);
  return {.error = error ? std::optional(*error) : std::nullopt,
          .output = options.json ? to_json(result) + "\n"
                    : error      ? std::string()
                                 : to_text(result, wants_colour(options.colour)),
          .is_right = checked && checked->clean()};
}

}  // namespace

int check_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                Device& device) {
  std::vector<CheckedSource> sources;  // of the document, which is written at the end
  const auto status = judge_each(options, tasks, TranslationPurpose::checking,
                                 [&](const Candidate& candidate, const Task* task) {
                                   auto result = check_on(candidate, task, device);
                                   result.requested_device =
                                       replaced_device(options, device.info());
                                   auto said = judged(result, options);
                                   if (!options.sarif) return said;
                                   sources.push_back({std::move(result), candidate.source});
                                   said.output.clear();
                                   return said;
                                 });
  if (options.sarif) fmt::print("{}", to_sarif(sources));
  return status;
}

}  // namespace msci
