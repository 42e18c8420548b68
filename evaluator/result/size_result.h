// The result at one size: whether the output was right, and how fast it came.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/profile/claim.h"
#include "base/statistics.h"
#include "engine/device/device.h"
#include "evaluator/measure/roofline.h"
#include "tasks/plan/task.h"

namespace msci {

class Fields;

// The label of the held-out size in results: its real label would tell a generator the size.
inline constexpr std::string_view held_out_label = "held out";

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

// The time of a pass on a chip of Apple, as docs/concepts/prediction.md predicts it.
struct PredictedTime {
  double seconds = 0;
  double low = 0;  // of an interval that holds four recorded times of five
  double high = 0;
  double fraction = 0;  // of the chip's ceiling
  Bound bound_by = Bound::instructions;
  std::string advice = {};         // what bounds the kernel that takes longest, and what to try
  std::vector<double> parts = {};  // by bound, as in PredictedPass; empty if unknown
  double in_registers = 1;         // as in PredictedPass
  std::string unlike = {};         // why it is unlike what was measured; empty if it is not
  unsigned threads = 0;            // of a threadgroup, of the kernel that takes longest
  unsigned registers = 0;          // of 16 bits, that a thread of it needs at once
  double traffic = 0;              // bytes that the pass's accesses to device memory touch
  bool extrapolated() const { return !unlike.empty(); }
  PredictedPass pass() const;
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

// "max_abs 3.000e+00 (at most 1.000e-04)": the error of a verdict. Empty where a result is right
// and no error is allowed: "right" says it.
std::string error_text(const Verdict& verdict);
// "2 of 64 elements differ by more; y[3] is 7, not 8"; empty where no element is known to be wrong.
std::string wrong_elements_text(const Verdict& verdict);

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

AnswerFields fields_of(const Answer& answer);

void describe(Fields& field, Spread& spread);

// The fields that do not depend on timing.
void describe_answer(Fields& field, SizeResult& size);

void describe(Fields& field, ChipTime& time);
void describe(Fields& field, SizeResult& size);

}  // namespace msci
