#include "evaluator/explain_failures.h"

#include <fmt/format.h>

#include <algorithm>

#include "evaluator/checked_run.h"

namespace msci {
namespace {

// The first size whose failure may be the device's, if no size has another fault.
SizeResult* only_open_failure(Outcome& outcome) {
  std::vector<SizeResult*> all;
  if (auto* wrong = std::get_if<Wrong>(&outcome))
    for (auto& size : wrong->sizes) all.push_back(&size);
  if (auto* scored = std::get_if<Scored>(&outcome); scored && scored->held_out)
    all.push_back(&*scored->held_out);
  SizeResult* first = nullptr;
  for (auto* size : all) {
    if (size->correct()) continue;
    const auto* failure = std::get_if<Failure>(&size->answer);
    if (!failure || !may_be_the_devices(*failure)) return nullptr;
    if (!first) first = size;
  }
  return first;
}

const Size* find_size(const Task& task, std::string_view label) {
  for (const auto& size : task.sizes)
    if (size.label == label) return &size;
  return task.held_out && task.held_out->label == label ? &*task.held_out : nullptr;
}

// What checked runs say about a kernel.
struct Explanation {
  std::string fault;  // the first; empty without one
  std::string stop;   // where the time limit stopped it
};

// Of the first of these sizes that says something.
Explanation explain(const Candidate& candidate, const Task& task,
                    const std::vector<const Size*>& sizes, Device& device) {
  const auto prepared = candidate.prepare_checked();
  if (!prepared || !prepared->translation) return {};
  for (const auto* size : sizes) {
    const auto plan = task.plan(*size, *prepared->translation);
    if (!plan) continue;
    const auto checked = check(*plan, *prepared->translation, device);
    if (!checked) continue;
    if (!checked->findings.empty())
      return {.fault = one_line(checked->findings.front(), candidate.name)};
    if (checked->failure && checked->failure->cause == Failure::Cause::time_out)
      return {.stop = checked->failure->message};
  }
  return {};
}

}  // namespace

std::optional<Error> explain_failures(const Candidate& candidate, const Task& task,
                                      Outcome& outcome, Device& device) {
  auto* failed = only_open_failure(outcome);
  if (!failed || !candidate.prepare_checked) return std::nullopt;
  std::vector<const Size*> sizes{&task.small};
  if (const auto* size = find_size(task, failed->label); size && size->label != task.small.label)
    sizes.push_back(size);
  const auto explanation = explain(candidate, task, sizes, device);
  auto& failure = std::get<Failure>(failed->answer);
  if (!explanation.fault.empty()) {
    failure.message += "; " + explanation.fault;
    return std::nullopt;
  }
  return Error{
      fmt::format("could not judge {} on {}: {}{}, and the checked mode finds no fault in "
                  "the kernel. Use another --device{}",
                  candidate.name, task.name, failure.message,
                  explanation.stop.empty() ? "" : "; checked, " + explanation.stop,
                  failure.cause == Failure::Cause::time_out
                      ? " or a longer --time-limit"
                      : fmt::format("; {} may have died of its own", device.info().name))};
}

}  // namespace msci
