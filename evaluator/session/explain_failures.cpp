#include "evaluator/session/explain_failures.h"

#include <fmt/format.h>

#include <algorithm>

#include "evaluator/check/checked_run.h"
#include "evaluator/session/session.h"

namespace msci {
namespace {

// The guards in a kernel's code found that it left its memory: a checked run only says where.
bool left_its_memory(const Failure& failure) { return failure.cause == Failure::Cause::outside; }

// The sizes whose failures a checked run may explain, if no size has another fault.
std::vector<SizeResult*> open_failures(Outcome& outcome) {
  std::vector<SizeResult*> all, open;
  if (auto* wrong = std::get_if<Wrong>(&outcome))
    for (auto& size : wrong->sizes) all.push_back(&size);
  if (auto* scored = std::get_if<Scored>(&outcome); scored && scored->held_out)
    all.push_back(&*scored->held_out);
  for (auto* size : all) {
    if (size->correct()) continue;
    const auto* failure = std::get_if<Failure>(&size->answer);
    if (!failure || !(may_be_the_devices(*failure) || left_its_memory(*failure))) return {};
    open.push_back(size);
  }
  return open;
}

const Size* find_size(const Task& task, std::string_view label) {
  for (const auto& size : task.sizes)
    if (size.label == label) return &size;
  return task.held_out && task.held_out->label == label ? &*task.held_out : nullptr;
}

// What checked runs say about a kernel.
struct Explanation {
  std::string fault;        // the first; empty without one
  std::string stop;         // where the time limit stopped it
  std::string not_checked;  // why a run could not be made; empty if all could
};

// One checked pass at that size. Errors: also a plan that cannot be made.
Result<Checked> check_at(Session& session, const Task& task, const Size& size) {
  const auto& opened = session.open();
  if (const auto* error = std::get_if<Error>(&opened)) return *error;
  if (const auto* failure = std::get_if<Failure>(&opened)) return Checked{.failure = *failure};
  const auto plan = task.plan(size, *session.translation());
  if (!plan) return plan.error();
  return check(*plan, *session.translation(), *std::get<Program*>(opened));
}

// Of the first of these sizes that says something. If a guard has found that the kernel left its
// memory, a fault without a line only repeats it.
Explanation explain(const Candidate& candidate, const Task& task,
                    const std::vector<const Size*>& sizes, bool left_memory,
                    const OpenProcessor& open_processor) {
  const auto processor = open_processor();
  if (!processor) return {.not_checked = processor.error().message};
  Session session(candidate, TranslationPurpose::checking, **processor);
  if (!session.translation()) {
    const auto* rejected = std::get_if<Rejected>(&session.open());
    return {.not_checked = rejected ? rejected->reason : std::get<Error>(session.open()).message};
  }
  Explanation explanation;
  for (const auto* size : sizes) {
    const auto checked = check_at(session, task, *size);
    if (checked && !checked->findings.empty() &&
        (!left_memory || checked->findings.front().place.is_known()))
      return {.fault = one_line(checked->findings.front(), candidate.name)};
    const auto* failure = checked && checked->failure ? &*checked->failure : nullptr;
    if (failure && failure->cause == Failure::Cause::time_out) return {.stop = failure->message};
    if (failure || !checked)
      explanation.not_checked = fmt::format("at size {}, {}", size->label,
                                            failure ? failure->message : checked.error().message);
  }
  return explanation;
}

// What the checked runs say of a kernel that has no fault.
std::string without_fault(const Explanation& explanation) {
  if (!explanation.not_checked.empty())
    return fmt::format("; the checked mode could not run it: {}", explanation.not_checked);
  const auto stop = explanation.stop.empty() ? "" : "; checked, " + explanation.stop;
  return stop + ", and the checked mode finds no fault in the kernel";
}

Error not_judged(const Candidate& candidate, const Task& task, const Failure& failure,
                 const Explanation& explanation, const Device& device) {
  return {fmt::format("could not judge {} on {}: {}{}. Use another --device{}", candidate.name,
                      task.name, failure.message, without_fault(explanation),
                      failure.cause == Failure::Cause::time_out
                          ? " or a longer --time-limit"
                          : fmt::format("; {} may have died of its own", device.info().name))};
}

// Why a verdict is open, and what judges the kernel nevertheless.
std::string open_end(const StrictResult& strict, const std::string& why) {
  if (strict.not_checked)
    return fmt::format(
        "a run with checked accesses is missing: {}. --verdict compatible judges without such runs",
        why);
  return fmt::format("{}. {}", why,
                     strict.not_certified
                         ? "--no-certificate judges without it"
                         : "Without --require-executed, such kernels are accepted");
}

}  // namespace

std::optional<Error> explain_failures(const Candidate& candidate, const Task& task,
                                      Outcome& outcome, const Device& device,
                                      const OpenProcessor& open_processor) {
  const auto failed = open_failures(outcome);
  if (failed.empty() || !candidate.compile_for) return std::nullopt;
  std::vector<const Size*> sizes{&task.small};
  if (const auto* size = find_size(task, failed.front()->label);
      size && size->label != task.small.label)
    sizes.push_back(size);
  const bool left_memory = std::ranges::any_of(failed, [](const SizeResult* size) {
    return left_its_memory(std::get<Failure>(size->answer));
  });
  const auto explanation = explain(candidate, task, sizes, left_memory, open_processor);
  if (!explanation.fault.empty()) {
    for (auto* size : failed) std::get<Failure>(size->answer).message += "; " + explanation.fault;
    return std::nullopt;
  }
  if (left_memory) return std::nullopt;
  return not_judged(candidate, task, std::get<Failure>(failed.front()->answer), explanation,
                    device);
}

std::optional<Error> explain_failures(const Candidate& candidate, const Task& task,
                                      const StrictResult& strict, const Device& device) {
  if (const auto why = why_undecided(strict))
    return Error{fmt::format("could not judge {} on {} strictly: {}", candidate.name, task.name,
                             open_end(strict, *why))};
  if (!strict.faults.empty() || !candidate.compile_for) return std::nullopt;
  const Failure* first = nullptr;
  for (const auto& size : strict.sizes) {
    if (is_strictly_right(size)) continue;
    const auto* failure = std::get_if<Failure>(&size.answer);
    if (!failure || !may_be_the_devices(*failure)) return std::nullopt;
    if (!first) first = failure;
  }
  if (!first) return std::nullopt;
  return not_judged(candidate, task, *first, {.not_checked = strict.not_checked.value_or("")},
                    device);
}

std::optional<Error> explain_failures(const Session& session, Evaluation& evaluation,
                                      const EvaluationOptions& options,
                                      const OpenProcessor& open_processor) {
  const auto& candidate = *session.candidate();
  // A session without a task is rejected.
  if (std::holds_alternative<Rejected>(evaluation.outcome)) return std::nullopt;
  // What failed at the recorded sizes does not matter for a kernel that is refused already.
  if (evaluation.is_of_processor && evaluation.strict && !why_undecided(*evaluation.strict) &&
      std::holds_alternative<Wrong>(evaluation.outcome))
    return std::nullopt;
  const auto& device = evaluation.is_of_processor ? *options.processor : session.device();
  if (auto error =
          explain_failures(candidate, session.task(), evaluation.outcome, device, open_processor))
    return error;
  if (!options.strict.thorough || !evaluation.strict) return std::nullopt;
  return explain_failures(candidate, session.task(), *evaluation.strict, device);
}

}  // namespace msci
