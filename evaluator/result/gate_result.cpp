#include "evaluator/result/gate_result.h"

#include <fmt/format.h>

#include "evaluator/result/json_schema.h"

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

std::string to_json(const GateResult& result) { return dumped(json_of(result)); }

std::string gate_schema() {
  return json_schema<GateResult>("gate", "msci-eval --gate --json",
                                 "The verdict on a kernel at the held-out size, on one line.");
}

Result<GateResult> gate_from_json(std::string_view json) {
  auto gate = read_strictly<GateResult>(json);
  if (!gate)
    return Error{
        fmt::format("this is not a result of the held-out gate: {}", gate.error().message)};
  return gate;
}

}  // namespace msci
