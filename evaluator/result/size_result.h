// The result at one size: whether the output was right, and how fast it came.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/statistics.h"
#include "evaluator/device/device.h"
#include "evaluator/plan/task.h"
#include "evaluator/result/described.h"

namespace msci {

struct Timing {
  double seconds = 0;   // median of the timed passes
  double achieved = 0;  // the task's work per second, in 1e9 bytes or operations
  double ceiling = 0;   // in the same unit
  double fraction = 0;  // achieved / ceiling; above 1 where caches help
  std::optional<double> intensity = std::nullopt;  // the task's, in operations per byte
  Spread spread = {};                              // of the timed passes
  bool operator==(const Timing&) const = default;
};

// The comparison with the reference, or why it could not be made.
using Answer = std::variant<Verdict, Failure>;

struct SizeResult {
  std::string label;
  Answer answer;
  std::optional<Timing> timing;  // none where nothing was timed, or the run failed
  std::vector<std::string>
      overruns;  // buffers with writes beside their ends; do not count as wrong
  // Whether a timed pass, chosen at random, was right, too; none where nothing was timed. The
  // recorded verdict ignores it.
  std::optional<bool> timed_correct = std::nullopt;
  std::string achieved_unit = {};  // the task's own: "GB/s (effective, 8 B/cell)"
  std::string ceiling_unit = {};   // "GB/s" or "GFLOPS"
  bool correct() const;
  bool operator==(const SizeResult&) const = default;
};

// Both kinds of an answer as one list of fields.
struct AnswerFields {
  bool correct = false;
  std::optional<double> error_value;      // none where it is not finite
  std::optional<std::string> error_text;  // then "NaN", "Infinity" or "-Infinity"
  std::string error_kind;                 // "exception" of a failure
  std::optional<double> tolerance;
  std::optional<Failure::Cause> cause;  // of a failure
  std::optional<std::string> message;   // of a failure
};
AnswerFields fields_of(const Answer& answer);
Answer answer_from(AnswerFields fields);

template <typename Fields, Described<Spread> Value>
void describe(Fields& field, Value& spread) {
  field("samples", spread.samples);
  field.part("median_low", spread.interval, &ConfidenceInterval::low);
  field.part("median_high", spread.interval, &ConfidenceInterval::high);
  field("interquartile", spread.interquartile);
  field("relative_error", spread.relative_error);
  field("outliers", spread.outliers);
  field("drift", spread.drift);
}

// The fields that do not depend on timing.
template <typename Fields, Described<SizeResult> Value>
void describe_answer(Fields& field, Value& size) {
  auto answer = Fields::reads ? AnswerFields{} : fields_of(size.answer);
  field.required("label", size.label);
  field.required("correct", answer.correct);
  field("error_value", answer.error_value);
  field("error_text", answer.error_text);
  field("error_kind", answer.error_kind);
  field("tolerance", answer.tolerance);
  field.choice("cause", answer.cause, Failure::Cause::wrote_constant);
  field("message", answer.message);
  if constexpr (Fields::reads) size.answer = answer_from(std::move(answer));
}

template <typename Fields, Described<SizeResult> Value>
void describe(Fields& field, Value& size) {
  describe_answer(field, size);
  field.part("gpu_seconds", size.timing, &Timing::seconds);
  field.part("achieved", size.timing, &Timing::achieved);
  field("achieved_unit", size.achieved_unit);
  field.part("ceiling", size.timing, &Timing::ceiling);
  field("ceiling_unit", size.ceiling_unit);
  field.part("fraction_of_ceiling", size.timing, &Timing::fraction);
  field.part("intensity", size.timing, &Timing::intensity);
  field.part("spread", size.timing, &Timing::spread);
  field("overruns", size.overruns);
  field("timed_correct", size.timed_correct);
}

}  // namespace msci
