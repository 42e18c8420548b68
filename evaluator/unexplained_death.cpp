#include "evaluator/unexplained_death.h"

#include <fmt/format.h>

#include "evaluator/checked_run.h"

namespace msci {
namespace {

// The first death, if no size has another fault.
const Failure* only_death(const Outcome& outcome) {
  const Failure* death = nullptr;
  const auto is_alright = [&](const SizeResult& size) {
    const auto* failure = std::get_if<Failure>(&size.answer);
    const bool died = failure && failure->cause == Failure::Cause::signal;
    if (died && !death) death = failure;
    return size.correct() || died;
  };
  for (const auto& size : sizes_of(outcome))
    if (!is_alright(size)) return nullptr;
  if (const auto* held_out = held_out_of(outcome); held_out && !is_alright(*held_out))
    return nullptr;
  return death;
}

// Whether the checked run finds a fault.
bool has_fault(const Candidate& candidate, const Task& task, Device& device) {
  const auto prepared = candidate.prepare_checked();
  if (!prepared || !prepared->translation) return false;
  const auto plan = task.plan(task.small, *prepared->translation);
  if (!plan) return false;
  const auto checked = check(*plan, *prepared->translation, device);
  return checked && !checked->findings.empty();
}

}  // namespace

std::optional<Error> unexplained_death(const Candidate& candidate, const Task& task,
                                       const Outcome& outcome, Device& device) {
  const auto* death = only_death(outcome);
  if (!death || !candidate.prepare_checked || has_fault(candidate, task, device))
    return std::nullopt;
  return Error{
      fmt::format("could not judge {} on {}: {}, and the checked mode finds no fault in the "
                  "kernel; {} may have "
                  "died of its own. Use another --device",
                  candidate.name, task.name, death->message, device.info().name)};
}

}  // namespace msci
