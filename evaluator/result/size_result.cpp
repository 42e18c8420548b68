#include "evaluator/result/size_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluator/result/json_fields.h"

namespace msci {
namespace {

// The prediction as one list of fields, which are absent without it.
struct PredictionFields {
  std::optional<double> seconds;
  std::optional<std::vector<double>> interval;
  std::optional<double> fraction;
  std::optional<std::string> bound_by;
  std::optional<std::string> advice;
  std::optional<bool> extrapolated;
  std::optional<std::string> unlike;
  std::optional<std::vector<double>> parts;  // by bound
  std::optional<double> in_registers;
  std::optional<unsigned> threads;
  std::optional<unsigned> registers;
  std::optional<double> traffic;
};

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

PredictionFields prediction_fields(const std::optional<PredictedTime>& predicted) {
  if (!predicted) return {};
  return {.seconds = predicted->seconds,
          .interval = std::vector{predicted->low, predicted->high},
          .fraction = predicted->fraction,
          .bound_by = std::string(to_string(predicted->bound_by)),
          .advice = predicted->advice,
          .extrapolated = predicted->extrapolated(),
          .unlike = predicted->unlike,
          .parts = predicted->parts,
          .in_registers = predicted->in_registers,
          .threads = predicted->threads,
          .registers = predicted->registers,
          .traffic = predicted->traffic};
}

std::optional<PredictedTime> prediction_from(const PredictionFields& fields) {
  if (!fields.seconds || !fields.interval || fields.interval->size() < 2) return std::nullopt;
  PredictedTime predicted{.seconds = *fields.seconds,
                          .low = fields.interval->front(),
                          .high = fields.interval->back(),
                          .fraction = fields.fraction.value_or(0),
                          .bound_by = bound_from(fields.bound_by.value_or("")),
                          .advice = fields.advice.value_or(""),
                          .parts = fields.parts.value_or(std::vector<double>()),
                          .in_registers = fields.in_registers.value_or(1),
                          .unlike = fields.unlike.value_or(""),
                          .threads = fields.threads.value_or(0),
                          .registers = fields.registers.value_or(0),
                          .traffic = fields.traffic.value_or(0)};
  // A file of an older version has no reason.
  if (fields.extrapolated.value_or(false) && predicted.unlike.empty())
    predicted.unlike = "outside of what the model was fitted to";
  return predicted;
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

void describe_prediction(Fields& field, std::optional<PredictedTime>& predicted) {
  auto fields = field.reads() ? PredictionFields{} : prediction_fields(predicted);
  field.if_present("predicted_seconds", fields.seconds, "of a pass on the chip of --predict");
  field.if_present("predicted_interval", fields.interval,
                   "its ends; it holds four recorded times of five");
  field.if_present("predicted_fraction", fields.fraction, "of that chip's ceiling");
  field.if_present("bound_by", fields.bound_by, "what the pass mostly waits for");
  field.if_present("advice", fields.advice,
                   "what bounds the kernel that takes longest, and what to try");
  field.if_present("extrapolated", fields.extrapolated,
                   "whether the pass is unlike those that the model was fitted to");
  field.if_present("unlike", fields.unlike, "in what it is unlike them; empty if in nothing");
  field.if_present("parts", fields.parts,
                   "the share of each part of a time, if each took its time alone: instructions, "
                   "latency, accesses, threadgroup_memory, spills, cache, memory, atomics, launch");
  field.if_present("in_registers", fields.in_registers,
                   "the share of predicted_seconds that remains if Apple's compiler keeps all "
                   "values of a thread in registers");
  field.if_present("threads", fields.threads, "of a threadgroup, of the kernel that takes longest");
  field.if_present("registers", fields.registers, "of 16 bits, that a thread of it needs at once");
  field.if_present("traffic", fields.traffic,
                   "bytes that the pass's accesses to device memory touch");
  if (field.reads()) predicted = prediction_from(fields);
}

}  // namespace

PredictedPass PredictedTime::pass() const {
  PredictedPass pass{.seconds = seconds, .unlike = unlike};
  if (in_registers > 0) pass.in_registers = in_registers;
  std::copy_n(parts.begin(), std::min(parts.size(), bound_count), pass.parts.begin());
  return pass;
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

void describe(Fields& field, Spread& spread) {
  field("samples", spread.samples, "number of timed passes");
  field.part("median_low", spread.interval, &ConfidenceInterval::low,
             "of the 95 % interval of the median, by bootstrap, in seconds");
  field.part("median_high", spread.interval, &ConfidenceInterval::high,
             "the upper end of that interval");
  field("interquartile", spread.interquartile, "interquartile range over median");
  field("relative_error", spread.relative_error, "of the mean");
  field("outliers", spread.outliers, "passes beyond three interquartile ranges");
  field("drift", spread.drift, "change from first to last, if Kendall's test sees a trend at 1 %");
}

void describe_answer(Fields& field, SizeResult& size) {
  auto answer = field.reads() ? AnswerFields{} : fields_of(size.answer);
  field.required("label", size.label, "of the size");
  field.required("correct", answer.correct, "whether the result is correct");
  field("error_value", answer.error_value, "null if it is not a finite number");
  field("error_text", answer.error_text, "such an error as text: NaN, Infinity or -Infinity");
  field("error_kind", answer.error_kind, "what error_value measures; exception if the run failed");
  field("tolerance", answer.tolerance, "the largest accepted error");
  field.choice("cause", answer.cause, Failure::Cause::wrong_pass, "of a failed run");
  field("message", answer.message, "of a failed run");
  field.if_present("first_difference", answer.first_difference,
                   "the first element beyond the tolerance, its value and the correct one");
  field.if_present("wrong_elements", answer.wrong_elements,
                   "number of elements beyond the tolerance");
  field.if_present("nan_elements", answer.nan_elements, "number of elements that are NaN");
  field.if_present("compared_elements", answer.compared_elements, "number of all elements");
  if (field.reads()) size.answer = answer_from(std::move(answer));
}

void describe(Fields& field, ChipTime& time) {
  field("chip", time.chip, "its name");
  describe_prediction(field, time.predicted);
}

void describe(Fields& field, SizeResult& size) {
  describe_answer(field, size);
  field.part("gpu_seconds", size.timing, &Timing::seconds, "median time of a pass on the device");
  field.part("achieved", size.timing, &Timing::achieved, "rate, in achieved_unit");
  field("achieved_unit", size.achieved_unit, "unit of the rate");
  field.part("ceiling", size.timing, &Timing::ceiling,
             "the best possible rate for buffers of that many bytes, which caches may hold");
  field("ceiling_unit", size.ceiling_unit, "GB/s or GFLOPS");
  field.part("fraction_of_ceiling", size.timing, &Timing::fraction,
             "achieved over ceiling; at most 1.05, and then above_ceiling says why");
  field.part("above_ceiling", size.timing, &Timing::above_ceiling,
             "why the rate is above the ceiling; else null");
  field.part("intensity", size.timing, &Timing::intensity,
             "operations per byte, by the task's model");
  field.part("spread", size.timing, &Timing::spread, "of the timed passes");
  field("overruns", size.overruns,
        "buffers with writes outside their ends; they do not count as wrong");
  field("changed_inputs", size.changed_inputs,
        "buffers that a pass changed although no kernel may write them; they do not count, either");
  field("timed_correct", size.timed_correct, "whether every timed pass was correct, too");
  field("wrong_pass", size.wrong_pass,
        "why a timed pass is wrong, or what --strict doubts; null if all are correct");
  describe_prediction(field, size.predicted);
  field.if_present("chips", size.on_chips,
                   "the prediction for each chip, if a request to the server names none");
}

}  // namespace msci
