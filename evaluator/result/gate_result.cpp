#include "evaluator/result/gate_result.h"

#include <fmt/format.h>

#include "evaluator/result/json_fields.h"

namespace msci {

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

GateSide gate_side(const Outcome& outcome) {
  const auto* scored = std::get_if<Scored>(&outcome);
  if (!scored) return {.fail_reason = fail_reason(outcome).value_or("")};
  GateSide side{.correct = true};
  if (const auto& timing = scored->sizes.front().timing) {
    side.seconds = timing->seconds;
    side.fraction = timing->fraction;
  }
  return side;
}

std::optional<SpeedupFields> fields_of(const std::optional<Ratio>& ratio) {
  if (!ratio) return std::nullopt;
  return SpeedupFields{ratio->interval.low, ratio->median, ratio->interval.high};
}

std::optional<Ratio> ratio_from(const std::optional<SpeedupFields>& fields) {
  if (!fields || !fields->low || !fields->high) return std::nullopt;
  return Ratio{fields->estimate, {*fields->low, *fields->high}};
}

std::string to_json(const GateResult& result) { return to_line(json_of(result)); }

std::string gate_schema() {
  return json_schema(type_of<GateResult>(), "gate", "msci-eval --gate --json",
                     "The verdict on a kernel at the held-out size, on one line.");
}

Result<GateResult> gate_from_json(std::string_view json) {
  auto gate = read_strictly<GateResult>(json);
  if (!gate)
    return Error{
        fmt::format("this is not a result of the held-out gate: {}", gate.error().message)};
  return gate;
}

void describe(Fields& field, SpeedupFields& speedup) {
  field("low", speedup.low, "the lower end of a 99 % interval");
  field.required("estimate", speedup.estimate, "how many times as fast");
  field("high", speedup.high, "the upper end of that interval");
}

void describe(Fields& field, GateSide& side) {
  field("correct", side.correct, "whether the result is correct");
  field("gpu_seconds", side.seconds, "time of a pass");
  field("fraction_of_ceiling", side.fraction, "achieved over ceiling");
  field.text("fail_reason", side.fail_reason, "null if it is correct");
}

void describe(Fields& field, GateResult& gate) {
  auto speedup = fields_of(gate.speed_up);
  field("task", gate.task, "the name of the task");
  field("device", gate.device, "the name of the device");
  field("size", gate.size, "the label of the held-out size");
  field.required_choice("verdict", gate.verdict, GateVerdict::silent_regression,
                        "incorrect: the incumbent is rejected, or wrong at a shown size");
  field("seed", gate.seed, "at the held-out size; null for an incorrect incumbent");
  field("incumbent", gate.incumbent, "at the held-out size; an incorrect one at the shown sizes");
  field("same_program", gate.same_program,
        "whether the incumbent translates to the same program as the seed, so that no comparison "
        "is run");
  field("speedup", speedup,
        "of the incumbent over the seed; null for the same program, or if the incumbent is not "
        "correct");
  field("predicted", gate.predicted,
        "the same as predicted for an Apple GPU, which then decides about a regression; null "
        "without --predict");
  field.if_present("iteration", gate.iteration, "of the incumbent, in a search's gate.json");
  if (field.reads()) gate.speed_up = ratio_from(speedup);
}

}  // namespace msci
