// The result at one size: whether the output was right, and how fast it came.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/profile/bound.h"
#include "base/statistics.h"
#include "engine/device/device.h"
#include "evaluator/measure/roofline.h"
#include "evaluator/result/described.h"
#include "tasks/plan/task.h"

namespace msci {

struct Timing {
  double seconds = 0;   // median of the timed passes
  double achieved = 0;  // the task's work per second, in 1e9 bytes or operations
  double ceiling = 0;   // in the same unit, for the bytes of the buffers
  double fraction = 0;  // achieved / ceiling, and never much above 1
  std::optional<double> intensity = std::nullopt;  // the task's, in operations per byte
  Spread spread = {};                              // of the timed passes
  // Why the rate is above the ceiling.
  std::optional<std::string> above_ceiling = std::nullopt;
  bool operator==(const Timing&) const = default;

  // Whether the fraction is none to tell: it was cut, or it is from a version that did not measure
  // again. A fraction of a plan's own ceiling is told whatever it is.
  bool is_above() const {
    return above_ceiling ? fraction <= most_fraction : fraction > most_fraction;
  }
};

// The time of a pass on a chip of Apple, as docs/prediction.md predicts it.
struct PredictedTime {
  double seconds = 0;
  double low = 0;  // of an interval that holds four recorded times of five
  double high = 0;
  double fraction = 0;  // of the chip's ceiling
  Bound bound_by = Bound::instructions;
  std::string advice = {};    // what bounds the kernel that takes longest, and what to try
  bool extrapolated = false;  // outside of what the model was fitted to
  bool operator==(const PredictedTime&) const = default;
};

// The same on one of several chips.
struct ChipTime {
  std::string chip;
  std::optional<PredictedTime> predicted = {};  // always there, once it is read
  bool operator==(const ChipTime&) const = default;
};

// The comparison with the reference, or why it could not be made.
using Answer = std::variant<Verdict, Failure>;

struct SizeResult {
  std::string label;
  Answer answer;
  std::optional<Timing> timing;  // none where nothing was timed, or the run failed
  std::vector<std::string>
      overruns;  // buffers with writes beside their ends; do not count as wrong
  std::vector<std::string> changed_inputs = {};  // which no kernel may write; do not count, either
  // Whether every timed pass was right, too; none where nothing was timed. The recorded verdict
  // ignores it.
  std::optional<bool> timed_correct = std::nullopt;
  // Why the first wrong timed pass is wrong, or why a thorough strict verdict doubts the results.
  std::optional<std::string> wrong_pass = {};
  std::optional<PredictedTime> predicted = {};  // where a profile was taken
  // On every chip that the model covers, where no chip is chosen.
  std::optional<std::vector<ChipTime>> on_chips = {};
  std::string achieved_unit = {};  // the task's own: "GB/s (effective, 8 B/cell)"
  std::string ceiling_unit = {};   // "GB/s" or "GFLOPS"
  bool correct() const;
  // Whether every pass was right and wrote only what it may: otherwise its time counts for nothing.
  bool keeps_the_rules() const {
    return timed_correct.value_or(true) && overruns.empty() && changed_inputs.empty();
  }
  bool operator==(const SizeResult&) const = default;
};

// Whether the run met the limit on time.
inline bool is_time_out(const SizeResult& size) {
  const auto* failure = std::get_if<Failure>(&size.answer);
  return failure && failure->cause == Failure::Cause::time_out;
}

// Both kinds of an answer as one list of fields.
struct AnswerFields {
  bool correct = false;
  std::optional<double> error_value;      // none where it is not finite
  std::optional<std::string> error_text;  // then "NaN", "Infinity" or "-Infinity"
  std::string error_kind;                 // "exception" of a failure
  std::optional<double> tolerance;
  std::optional<Failure::Cause> cause;  // of a failure
  std::optional<std::string> message;   // of a failure
  std::optional<std::string> first_difference;
  std::optional<std::size_t> wrong_elements, nan_elements, compared_elements;
};
// "max_abs 3.000e+00 (at most 1.000e-04)": the error of a verdict. Empty where a result is right
// and no error is allowed: "right" says it.
std::string error_text(const Verdict& verdict);
// "2 of 64 elements differ by more; y[3] is 7, not 8"; empty where no element is known to be wrong.
std::string wrong_elements_text(const Verdict& verdict);
AnswerFields fields_of(const Answer& answer);
Answer answer_from(AnswerFields fields);

template <typename Fields, Described<Spread> Value>
void describe(Fields& field, Value& spread) {
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

// The fields that do not depend on timing.
template <typename Fields, Described<SizeResult> Value>
void describe_answer(Fields& field, Value& size) {
  auto answer = Fields::reads ? AnswerFields{} : fields_of(size.answer);
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
  if constexpr (Fields::reads) size.answer = answer_from(std::move(answer));
}

// The prediction as one list of fields, which are absent without it.
struct PredictionFields {
  std::optional<double> seconds;
  std::optional<std::vector<double>> interval;
  std::optional<double> fraction;
  std::optional<std::string> bound_by;
  std::optional<std::string> advice;
  std::optional<bool> extrapolated;
};
PredictionFields fields_of(const std::optional<PredictedTime>& predicted);
std::optional<PredictedTime> prediction_from(const PredictionFields& fields);

template <typename Fields, typename Value>
void describe_prediction(Fields& field, Value& predicted) {
  auto fields = Fields::reads ? PredictionFields{} : fields_of(predicted);
  field.if_present("predicted_seconds", fields.seconds, "of a pass on the chip of --predict");
  field.if_present("predicted_interval", fields.interval,
                   "its ends; it holds four recorded times of five");
  field.if_present("predicted_fraction", fields.fraction, "of that chip's ceiling");
  field.if_present("bound_by", fields.bound_by, "what the pass mostly waits for");
  field.if_present("advice", fields.advice,
                   "what bounds the kernel that takes longest, and what to try");
  field.if_present("extrapolated", fields.extrapolated,
                   "whether the prediction is outside of what the model was fitted to");
  if constexpr (Fields::reads) predicted = prediction_from(fields);
}

template <typename Fields, Described<ChipTime> Value>
void describe(Fields& field, Value& time) {
  field("chip", time.chip, "its name");
  describe_prediction(field, time.predicted);
}

template <typename Fields, Described<SizeResult> Value>
void describe(Fields& field, Value& size) {
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
