#include "evaluator/gate.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "evaluator/report.h"

namespace msci {
namespace {

using Json = nlohmann::ordered_json;

// The task with the held-out size as its only one: then all that evaluates tasks evaluates it.
Task held_out_alone(const Task& task) {
  Task alone = task;
  alone.sizes = {task.held_out};
  return alone;
}

// The only size of an outcome; one that says why where the kernel was refused.
SizeOutcome only_size(const Task& alone, const Outcome& outcome) {
  if (const auto* scored = std::get_if<Scored>(&outcome)) return scored->sizes.front();
  if (const auto* wrong = std::get_if<Wrong>(&outcome)) return wrong->sizes.front();
  return {.label = std::string(alone.sizes.front().label),
          .answer = Failure{Failure::Cause::build, std::get<Rejected>(outcome).reason}};
}

Result<SizeOutcome> evaluate_there(const Task& alone, const Translation& translation,
                                   const Bench& bench, Repeats repeats) {
  auto evaluation = evaluate(alone, translation, bench, {.repeats = repeats});
  if (!evaluation) return evaluation.error();
  return only_size(alone, evaluation->outcome);
}

// Why it is not right, or nothing.
std::string reason_of(const SizeOutcome& size) {
  return size.correct() ? "" : fail_reason(Wrong{{size}}).value_or("");
}

bool is_same_program(const Translation& one, const Translation& other) {
  return one.text == other.text && one.kernels == other.kernels;
}

// None where one of them does not run this time.
Result<std::optional<Versus>> compare_there(const Task& alone, const Translation& seed,
                                            const Translation& incumbent, Device& device) {
  auto versus = compare_in_turns(alone, alone.sizes, {incumbent, device}, {seed, device});
  if (!versus) return versus.error();
  if (std::holds_alternative<Failure>(*versus)) return std::optional<Versus>();
  return std::optional(std::get<Versus>(*std::move(versus)));
}

GateVerdict verdict_of(const GateReport& report) {
  if (!report.incumbent.correct()) return GateVerdict::silent_incorrect;
  if (report.is_seed) return GateVerdict::generalises;
  if (!report.versus) return GateVerdict::silent_incorrect;
  return report.versus->is_slower() ? GateVerdict::silent_regression : GateVerdict::generalises;
}

std::optional<Ratio> speedup_of(const GateReport& report) {
  if (!report.versus) return std::nullopt;
  return report.versus->overall();
}

Json json_of(const SizeOutcome& size) {
  const auto reason = reason_of(size);
  return {{"correct", size.correct()},
          {"gpu_seconds", size.timing ? Json(size.timing->seconds) : Json(nullptr)},
          {"fraction_of_ceiling", size.timing ? Json(size.timing->fraction) : Json(nullptr)},
          {"fail_reason", reason.empty() ? Json(nullptr) : Json(reason)}};
}

std::string line_of(std::string_view who, const SizeOutcome& size) {
  if (!size.correct()) return fmt::format("  {:<10} WRONG  {}\n", who, reason_of(size));
  if (!size.timing) return fmt::format("  {:<10} right\n", who);
  return fmt::format("  {:<10} right  {:.4g} ms  {:.1f} % of the ceiling\n", who,
                     size.timing->seconds * 1e3, size.timing->fraction * 100);
}

}  // namespace

std::string_view to_string(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::generalises:
      return "generalises";
    case GateVerdict::silent_incorrect:
      return "silent-incorrect";
    case GateVerdict::silent_regression:
      return "silent-regression";
  }
  return "silent-incorrect";
}

Result<GateReport> hold_gate(const Task& task, const Translation& seed,
                             const Translation& incumbent, const Bench& bench, Repeats repeats) {
  const auto alone = held_out_alone(task);
  GateReport report{.task = std::string(task.name), .device = bench.device.info().name};
  auto seed_there = evaluate_there(alone, seed, bench, repeats);
  if (!seed_there) return seed_there.error();
  report.seed = *std::move(seed_there);
  if (!report.seed.correct())
    return Error{fmt::format("the seed is not right itself: {}", reason_of(report.seed))};
  auto incumbent_there = evaluate_there(alone, incumbent, bench, repeats);
  if (!incumbent_there) return incumbent_there.error();
  report.incumbent = *std::move(incumbent_there);
  report.is_seed = is_same_program(seed, incumbent);
  if (report.incumbent.correct() && !report.is_seed) {
    auto versus = compare_there(alone, seed, incumbent, bench.device);
    if (!versus) return versus.error();
    report.versus = *std::move(versus);
  }
  report.verdict = verdict_of(report);
  return report;
}

std::string to_text(const GateReport& report) {
  auto text = fmt::format("{} at the held-out size {} on {}: {}\n", report.task,
                          report.incumbent.label, report.device, to_string(report.verdict));
  text += line_of("seed", report.seed) + line_of("incumbent", report.incumbent);
  if (report.is_seed) text += "  the incumbent is the seed: nothing to compare\n";
  if (const auto speedup = speedup_of(report); speedup && speedup->interval)
    text += fmt::format("  speed-up over the seed {:.3f} (99 %: {:.3f} to {:.3f})\n",
                        speedup->median, speedup->interval->low, speedup->interval->high);
  return text;
}

std::string to_json(const GateReport& report) {
  Json json = {{"task", report.task},
               {"device", report.device},
               {"size", report.incumbent.label},
               {"verdict", to_string(report.verdict)},
               {"seed", json_of(report.seed)},
               {"incumbent", json_of(report.incumbent)},
               {"same_program", report.is_seed},
               {"speedup", nullptr}};
  if (const auto speedup = speedup_of(report); speedup && speedup->interval)
    json["speedup"] = {{"low", speedup->interval->low},
                       {"estimate", speedup->median},
                       {"high", speedup->interval->high}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace msci
