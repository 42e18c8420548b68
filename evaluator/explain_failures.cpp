#include "evaluator/explain_failures.h"

#include <fmt/format.h>

#include <algorithm>

#include "evaluator/checked_run.h"

namespace msci {
namespace {

// The sizes whose failures may be the device's, if no size has another fault.
std::vector<SizeResult*> open_failures(Outcome& outcome) {
  std::vector<SizeResult*> all, open;
  if (auto* wrong = std::get_if<Wrong>(&outcome))
    for (auto& size : wrong->sizes) all.push_back(&size);
  if (auto* scored = std::get_if<Scored>(&outcome); scored && scored->held_out)
    all.push_back(&*scored->held_out);
  for (auto* size : all) {
    if (size->correct()) continue;
    const auto* failure = std::get_if<Failure>(&size->answer);
    if (!failure || !may_be_the_devices(*failure)) return {};
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
  std::string fault;  // the first; empty without one
  std::string stop;   // where the time limit stopped it
};

// Of the first of these sizes that says something.
Explanation explain(const Candidate& candidate, const Task& task,
                    const std::vector<const Size*>& sizes, Device& device) {
  const auto prepared = candidate.prepare_as(TranslationPurpose::checking);
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

// `stop`: where the time limit stopped the checked run, or empty.
Error not_judged(const Candidate& candidate, const Task& task, const Failure& failure,
                 const std::string& stop, const Device& device) {
  return {fmt::format(
      "could not judge {} on {}: {}{}, and the checked mode finds no fault in "
      "the kernel. Use another --device{}",
      candidate.name, task.name, failure.message, stop.empty() ? "" : "; checked, " + stop,
      failure.cause == Failure::Cause::time_out
          ? " or a longer --time-limit"
          : fmt::format("; {} may have died of its own", device.info().name))};
}

}  // namespace

std::optional<Error> blame_device(const std::optional<Failure>& failure, std::string_view doing,
                                  std::string_view name) {
  if (!failure || !may_be_the_devices(*failure)) return std::nullopt;
  return Error{fmt::format("could not {} {}: {}", doing, name, failure->message)};
}

std::optional<Error> explain_failures(const Candidate& candidate, const Task& task,
                                      Outcome& outcome, Device& device) {
  const auto failed = open_failures(outcome);
  if (failed.empty() || !candidate.prepare_as) return std::nullopt;
  std::vector<const Size*> sizes{&task.small};
  if (const auto* size = find_size(task, failed.front()->label);
      size && size->label != task.small.label)
    sizes.push_back(size);
  const auto explanation = explain(candidate, task, sizes, device);
  if (!explanation.fault.empty()) {
    for (auto* size : failed) std::get<Failure>(size->answer).message += "; " + explanation.fault;
    return std::nullopt;
  }
  return not_judged(candidate, task, std::get<Failure>(failed.front()->answer), explanation.stop,
                    device);
}

std::optional<Error> explain_failures(const Candidate& candidate, const Task& task,
                                      const StrictResult& strict, const Device& device) {
  if (!strict.faults.empty() || !candidate.prepare_as) return std::nullopt;
  const Failure* first = nullptr;
  for (const auto& size : strict.sizes) {
    if (is_strictly_right(size)) continue;
    const auto* failure = std::get_if<Failure>(&size.answer);
    if (!failure || !may_be_the_devices(*failure)) return std::nullopt;
    if (!first) first = failure;
  }
  if (!first) return std::nullopt;
  return not_judged(candidate, task, *first, "", device);
}

}  // namespace msci
