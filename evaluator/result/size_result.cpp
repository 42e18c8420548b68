#include "evaluator/result/size_result.h"

#include <fmt/format.h>

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

// Absent where a file does not say it.
std::optional<std::size_t> known(std::size_t count) {
  return count > 0 ? std::optional(count) : std::nullopt;
}

std::optional<Differences> differences_from(AnswerFields& fields) {
  if (!fields.first_difference && !fields.wrong_elements) return std::nullopt;
  return Differences{.compared = fields.compared_elements.value_or(0),
                     .wrong = fields.wrong_elements.value_or(0),
                     .nan = fields.nan_elements.value_or(0),
                     .first = std::move(fields.first_difference).value_or("")};
}

}  // namespace

bool SizeResult::correct() const {
  const auto* verdict = std::get_if<Verdict>(&answer);
  return verdict && verdict->correct;
}

std::string error_text(const Verdict& verdict) {
  const bool allows_none = verdict.tolerance.value_or(0) == 0;
  if (verdict.correct && verdict.error_value == 0 && allows_none) return {};
  auto text = fmt::format("{} {:.3e}", verdict.error_kind, verdict.error_value);
  if (verdict.tolerance) text += fmt::format(" (at most {:.3e})", *verdict.tolerance);
  return text;
}

std::string wrong_elements_text(const Verdict& verdict) {
  const auto& differences = verdict.differences;
  if (!differences || differences->first.empty()) return {};
  const auto& [compared, wrong, nan, first] = *differences;
  if (wrong == 0) return first;
  auto text = std::to_string(wrong);
  if (compared > 0) text += fmt::format(" of {}", compared);
  text += (compared > 0 ? compared : wrong) == 1 ? " element" : " elements";
  text += wrong == 1 ? " differs" : " differ";
  if (verdict.tolerance.value_or(0) > 0) text += " by more";
  if (nan > 0) text += fmt::format(", {} of them NaN", nan);
  return fmt::format("{}; {}", text, first);
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
          .first_difference = verdict.differences && !verdict.differences->first.empty()
                                  ? std::optional(verdict.differences->first)
                                  : std::nullopt,
          .wrong_elements = verdict.differences ? known(verdict.differences->wrong) : std::nullopt,
          .nan_elements = verdict.differences ? known(verdict.differences->nan) : std::nullopt,
          .compared_elements =
              verdict.differences ? known(verdict.differences->compared) : std::nullopt};
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
                 .differences = differences_from(fields)};
}

}  // namespace msci
