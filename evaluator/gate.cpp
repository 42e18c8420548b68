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
  alone.sizes = {*task.held_out};
  return alone;
}

GateSide side_of(const Outcome& outcome) {
  const auto* scored = std::get_if<Scored>(&outcome);
  if (!scored) return {.fail_reason = fail_reason(outcome).value_or("")};
  return {.correct = true, .timing = scored->sizes.front().timing};
}

Result<GateSide> evaluate_there(const Task& alone, const Translation& translation,
                                const Bench& bench, Repeats repeats) {
  auto evaluation = evaluate(alone, translation, bench, {.repeats = repeats});
  if (!evaluation) return evaluation.error();
  return side_of(evaluation->outcome);
}

bool is_same_program(const Translation& one, const Translation& other) {
  return one.text == other.text && one.kernels == other.kernels;
}

// Measures the incumbent, which may fail this time, in turns with the seed.
std::optional<Error> compare_there(const Task& alone, const Translation& seed,
                                   const Translation& incumbent, Device& device,
                                   GateReport& report) {
  auto versus = compare_in_turns(alone, alone.sizes, {incumbent, device}, {seed, device});
  if (!versus) return versus.error();
  if (const auto* failure = std::get_if<Failure>(&*versus))
    report.incumbent = {.fail_reason = fmt::format("in turns, {}", failure->message)};
  else
    report.versus = std::get<Versus>(*std::move(versus));
  return std::nullopt;
}

GateVerdict verdict_of(const GateReport& report) {
  if (!report.incumbent.correct) return GateVerdict::silent_incorrect;
  if (!report.versus) return GateVerdict::generalises;  // it is the seed
  return report.versus->is_slower() ? GateVerdict::silent_regression : GateVerdict::generalises;
}

std::optional<Ratio> speedup_of(const GateReport& report) {
  if (!report.versus) return std::nullopt;
  return report.versus->overall();
}

Json json_of(const GateSide& side) {
  return {{"correct", side.correct},
          {"gpu_seconds", side.timing ? Json(side.timing->seconds) : Json(nullptr)},
          {"fraction_of_ceiling", side.timing ? Json(side.timing->fraction) : Json(nullptr)},
          {"fail_reason", side.correct ? Json(nullptr) : Json(side.fail_reason)}};
}

std::string line_of(std::string_view who, const GateSide& side) {
  if (!side.correct) return fmt::format("  {:<10} WRONG  {}\n", who, side.fail_reason);
  if (!side.timing) return fmt::format("  {:<10} right\n", who);
  return fmt::format("  {:<10} right  {:.4g} ms  {:.1f} % of the ceiling\n", who,
                     side.timing->seconds * 1e3, side.timing->fraction * 100);
}

GateReport blank_report(const Task& task, const Device& device) {
  return {.task = std::string(task.name),
          .device = device.info().name,
          .size = std::string(task.held_out->label)};
}

}  // namespace

std::string_view to_string(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::incorrect:
      return "incorrect";
    case GateVerdict::generalises:
      return "generalises";
    case GateVerdict::silent_incorrect:
      return "silent-incorrect";
    case GateVerdict::silent_regression:
      return "silent-regression";
  }
  return "incorrect";
}

Result<GateReport> hold_gate(const Task& task, const Translation& seed,
                             const Translation& incumbent, const Bench& bench, Repeats repeats) {
  const auto shown =
      evaluate(task, incumbent, bench, {.repeats = verify_only, .stop_at_wrong = true});
  if (!shown) return shown.error();
  if (!std::holds_alternative<Scored>(shown->outcome))
    return report_incorrect(task, bench.device, shown->outcome);
  const auto alone = held_out_alone(task);
  auto report = blank_report(task, bench.device);
  auto seed_there = evaluate_there(alone, seed, bench, repeats);
  if (!seed_there) return seed_there.error();
  if (!seed_there->correct)
    return Error{
        fmt::format("what it is compared with is not right itself at the held-out size: {}",
                    seed_there->fail_reason)};
  report.seed = *std::move(seed_there);
  auto incumbent_there = evaluate_there(alone, incumbent, bench, repeats);
  if (!incumbent_there) return incumbent_there.error();
  report.incumbent = *std::move(incumbent_there);
  report.is_seed = is_same_program(seed, incumbent);
  if (report.incumbent.correct && !report.is_seed) {
    if (auto error = compare_there(alone, seed, incumbent, bench.device, report)) return *error;
  }
  report.verdict = verdict_of(report);
  return report;
}

GateReport report_incorrect(const Task& task, const Device& device, const Outcome& outcome) {
  auto report = blank_report(task, device);
  report.verdict = GateVerdict::incorrect;
  report.incumbent = side_of(outcome);
  return report;
}

std::string to_text(const GateReport& report) {
  auto text = fmt::format("{} at the held-out size {} on {}: {}\n", report.task, report.size,
                          report.device, to_string(report.verdict));
  if (report.seed) text += line_of(report.rival, *report.seed);
  text += line_of("incumbent", report.incumbent);
  if (report.is_seed) text += "  both are one program, and nothing is compared\n";
  if (report.versus)
    text += fmt::format("  measured again in turns with {}: {}\n", report.rival,
                        with_interval(report.versus->overall(), "times as fast"));
  return text;
}

std::string to_json(const GateReport& report) {
  Json json = {{"task", report.task},
               {"device", report.device},
               {"size", report.size},
               {"verdict", to_string(report.verdict)},
               {"seed", report.seed ? json_of(*report.seed) : Json(nullptr)},
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
