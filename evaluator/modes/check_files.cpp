#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <vector>

#include "evaluator/check/check_sarif.h"
#include "evaluator/check/checked_run.h"
#include "evaluator/modes/exit_codes.h"
#include "evaluator/modes/inputs/check_inputs.h"
#include "evaluator/modes/judge_each.h"
#include "evaluator/modes/modes.h"
#include "evaluator/modes/open_devices.h"
#include "evaluator/modes/prove/assumptions.h"
#include "evaluator/result/result_text.h"
#include "evaluator/session/session.h"

namespace msci {
namespace {

// Whether the answer of a kernel with a race depends on the order of its threads, without checks.
std::optional<Error> confirm_race(const Candidate& candidate, const Task& task, Device& device,
                                  Checked& checked) {
  if (!checked.has_race() || !candidate.compile_for) return std::nullopt;
  const auto plain = candidate.compile_for(TranslationPurpose::running, {});
  if (!plain) return plain.error();
  if (!plain->translation) return std::nullopt;
  auto plan = task.plan(task.small, *plain->translation);
  if (!plan) return std::nullopt;
  auto reruns = rerun_in_orders(*std::move(plan), *plain->translation, device);
  if (!reruns) return reruns.error();
  checked.reruns = *std::move(reruns);
  return std::nullopt;
}

// Where infinite and NaN results come from.
std::optional<Error> trace_numbers(const Candidate& candidate, const Task& task, Device& device,
                                   Checked& checked) {
  if (!checked.has_not_finite || !candidate.compile_for) return std::nullopt;
  const auto traced = candidate.compile_for(TranslationPurpose::tracing, {});
  if (!traced) return traced.error();
  if (!traced->translation) return std::nullopt;
  const auto plan = task.plan(task.small, *traced->translation);
  return plan ? trace_not_finite(*plan, *traced->translation, device, checked) : std::nullopt;
}

// Compares with the reference at the small size; null without one. A plan has one only for the
// sizes that it is judged at, and reads it here, since other checked runs need none.
IsRight judge_at_small_size(const Task& task) {
  if (task.load) {
    const auto is_small = [&](const Size& each) { return each.label == task.small.label; };
    if (std::ranges::none_of(task.sizes, is_small) || task.load({})) return nullptr;
  }
  return [&task](const Outputs& outputs) -> Result<bool> {
    const auto reference = task.reference ? task.reference(task.small) : Bytes{};
    const auto verdict = task.judge(task.small, reference, outputs, outputs);
    if (!verdict) return verdict.error();
    return verdict->correct;
  };
}

// Whether the results depend on a number that was cut.
std::optional<Error> trace_narrowed(const Candidate& candidate, const Task& task, Device& device,
                                    Checked& checked) {
  if (!checked.has_narrowed() || !candidate.compile_for) return std::nullopt;
  const auto wider = candidate.compile_for(TranslationPurpose::widening, {});
  if (!wider) return wider.error();
  if (!wider->translation || !candidate.compiled->translation) return std::nullopt;
  const auto& usual = *candidate.compiled->translation;
  auto plan = task.plan(task.small, usual);
  if (!plan) return std::nullopt;
  const auto is_right = plan->results.empty() ? nullptr : judge_at_small_size(task);
  return compare_with_wider(*std::move(plan), usual, *wider->translation, device, checked,
                            is_right);
}

// Of a session with a program, or one that the device does not build.
RunOutcome<Checked> check_small_size(Session& session) {
  auto plan = session.plan(session.task().small);
  if (!plan) return plan.error();
  if (auto* failure = std::get_if<Failure>(&*plan))
    return Rejected{Rejected::Stage::pipeline, std::move(failure->message)};
  if (const auto* failure = std::get_if<Failure>(&session.open()))
    return Checked{.failure = *failure};
  auto checked =
      check(std::get<Plan>(*plan), *session.translation(), *std::get<Program*>(session.open()));
  if (!checked) return checked.error();
  return *std::move(checked);
}

// Adds the assumptions that do not hold at the small size. The session has a program.
std::optional<Error> test_assumptions(const std::vector<Assumption>& assumptions, Session& session,
                                      Checked& checked) {
  auto* const* program = std::get_if<Program*>(&session.open());
  if (assumptions.empty() || !program) return std::nullopt;
  auto plan = session.plan(session.task().small);
  if (!plan) return plan.error();
  if (std::holds_alternative<Failure>(*plan)) return std::nullopt;
  auto broken =
      broken_assumptions(assumptions, std::get<Plan>(*plan), *session.translation(), **program);
  if (!broken) return broken.error();
  std::move(broken->begin(), broken->end(), std::back_inserter(checked.findings));
  std::stable_sort(checked.findings.begin(), checked.findings.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.place < b.place; });
  return std::nullopt;
}

// The checked mode: one pass at the task's small size, with every access checked.
RunOutcome<Checked> check_candidate(const Candidate& candidate, const Task* task,
                                    const std::vector<std::string>& assumed, Device& device) {
  Session session(candidate, task, device);
  const auto& opened = session.open();
  if (const auto* error = std::get_if<Error>(&opened)) return *error;
  if (const auto* rejected = std::get_if<Rejected>(&opened)) return *rejected;
  auto assumptions = assumptions_for(candidate, assumed);
  if (!assumptions) return assumptions.error();
  auto checked = check_small_size(session);
  if (auto* result = std::get_if<Checked>(&checked)) {
    if (auto error = blame_device(result->failure, "check", task->name)) return *std::move(error);
    if (auto error = test_assumptions(*assumptions, session, *result)) return *std::move(error);
    if (auto error = trace_numbers(candidate, *task, device, *result)) return *std::move(error);
    if (auto error = trace_narrowed(candidate, *task, device, *result)) return *std::move(error);
    take_suppressed(*result, candidate.compiled->allowed);
    if (auto error = confirm_race(candidate, *task, device, *result)) return *std::move(error);
  }
  return checked;
}

}  // namespace

CheckResult check_candidate_on(const Candidate& candidate, const Task* task, Device& device,
                               const std::vector<std::string>& assumed) {
  CheckResult result{.heading = heading_of(candidate, task, device)};
  if (task) result.size = task->small.label;
  if (candidate.compiled) result.diagnostics = diagnostics_for(*candidate.compiled, task);
  result.result = check_candidate(candidate, task, assumed, device);
  return result;
}

namespace {

CheckResult checked(const EvaluatorOptions& options, const Candidate& candidate, const Task* task,
                    Device& device) {
  if (options.mode.inputs == 0)
    return check_candidate_on(candidate, task, device, options.mode.assumptions);
  return check_inputs_on(candidate, task, device, options.mode.inputs, options.mode.save_plan);
}

Judged judged_check(const CheckResult& result, const EvaluatorOptions& options) {
  const auto* error = std::get_if<Error>(&result.result);
  const auto* checked = std::get_if<Checked>(&result.result);
  return {.error = error ? std::optional(*error) : std::nullopt,
          .output = options.output.json ? to_json(result) + "\n"
                    : error             ? std::string()
                                        : to_text(result, wants_colour(options.output.colour)),
          .is_right = checked && checked->clean()};
}

}  // namespace

int check_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                Device& device) {
  std::vector<CheckedSource> sources;  // of the document, which is written at the end
  const auto status = judge_each(options, tasks, TranslationPurpose::checking,
                                 [&](const Candidate& candidate, const Task* task) {
                                   auto result = checked(options, candidate, task, device);
                                   result.heading.requested_device =
                                       replaced_device(options, device.info());
                                   auto said = judged_check(result, options);
                                   if (!options.mode.sarif) return said;
                                   sources.push_back({std::move(result), candidate.source});
                                   said.output.clear();
                                   return said;
                                 });
  if (options.mode.sarif) fmt::print("{}", to_sarif(sources));
  return status;
}

}  // namespace msci
