#include "evaluator/result/size_result.h"

#include <cmath>
#include <limits>

namespace msci {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// JSON has no number for these.
std::optional<std::string> text_if_not_finite(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return std::nullopt;
}

double error_value_of(const AnswerFields& fields) {
  if (fields.error_value) return *fields.error_value;
  if (fields.error_text == "Infinity") return infinity;
  return fields.error_text == "-Infinity" ? -infinity : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

bool SizeResult::correct() const {
  const auto* verdict = std::get_if<Verdict>(&answer);
  return verdict && verdict->correct;
}

AnswerFields fields_of(const Answer& answer) {
  if (const auto* failure = std::get_if<Failure>(&answer))
    return {.error_text = "Infinity",
            .error_kind = "exception",
            .cause = failure->cause,
            .message = failure->message};
  const auto& verdict = std::get<Verdict>(answer);
  return {.correct = verdict.correct,
          .error_value = verdict.error_value,
          .error_text = text_if_not_finite(verdict.error_value),
          .error_kind = verdict.error_kind,
          .tolerance = verdict.tolerance,
          .first_difference = verdict.first_difference.empty()
                                  ? std::nullopt
                                  : std::optional(verdict.first_difference)};
}

PredictionFields fields_of(const std::optional<PredictedTime>& predicted) {
  if (!predicted) return {};
  return {.seconds = predicted->seconds,
          .interval = std::vector{predicted->low, predicted->high},
          .fraction = predicted->fraction,
          .bound_by = std::string(to_string(predicted->bound_by)),
          .advice = predicted->advice,
          .extrapolated = predicted->extrapolated};
}

std::optional<PredictedTime> prediction_from(const PredictionFields& fields) {
  if (!fields.seconds || !fields.interval || fields.interval->size() < 2) return std::nullopt;
  return PredictedTime{.seconds = *fields.seconds,
                       .low = fields.interval->front(),
                       .high = fields.interval->back(),
                       .fraction = fields.fraction.value_or(0),
                       .bound_by = bound_from(fields.bound_by.value_or("")),
                       .advice = fields.advice.value_or(""),
                       .extrapolated = fields.extrapolated.value_or(false)};
}

Answer answer_from(AnswerFields fields) {
  if (fields.cause || fields.error_kind == "exception")
    return Failure{fields.cause.value_or(Failure::Cause::run_time),
                   std::move(fields.message).value_or("")};
  return Verdict{.correct = fields.correct,
                 .error_value = error_value_of(fields),
                 .error_kind = std::move(fields.error_kind),
                 .tolerance = fields.tolerance,
                 .first_difference = std::move(fields.first_difference).value_or("")};
}

}  // namespace msci
