// The outcome of an evaluation by the recorded verdict: rejected, wrong or scored.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "evaluator/result/size_result.h"

namespace msci {

// The kernel never ran.
struct Rejected {
  enum class Stage { compile, pipeline };
  Stage stage = Stage::compile;
  std::string reason;
  bool kernel_is_missing = false;  // one that the task dispatches
  bool operator==(const Rejected&) const = default;
};

// At least one in-distribution size is not right.
struct Wrong {
  std::vector<SizeResult> sizes;
  std::string reason = {};  // as the file says that it was read from; else `sizes` tell it
  bool operator==(const Wrong&) const = default;
};

// All in-distribution sizes are right.
struct Scored {
  std::vector<SizeResult> sizes;
  std::optional<double> score;  // geometric mean of the fractions; none where nothing was timed
  std::optional<SizeResult> held_out;
  bool operator==(const Scored&) const = default;
};

// A bad kernel is an answer, not an error.
using Outcome = std::variant<Rejected, Wrong, Scored>;

// What the alternatives have in common.
const std::vector<SizeResult>& sizes_of(const Outcome& outcome);
const SizeResult* held_out_of(const Outcome& outcome);  // null where none was evaluated
std::optional<double> score_of(const Outcome& outcome);

// Why the score is missing, in the benchmark's words: "correctness failed at size 1M:
// max_abs=3.000e+00", followed by the first wrong element where it is known. None where all sizes
// are right, and where a file gives no reason.
std::optional<std::string> fail_reason(const Outcome& outcome);

// An outcome, or an error of ours, as one list of fields; all are null for an error.
struct OutcomeFields {
  std::optional<bool> compile_ok;
  std::optional<bool> correct;
  std::optional<double> score;
  std::optional<std::string> fail_reason;
  std::vector<SizeResult> sizes;
  std::optional<SizeResult> held_out;
  std::optional<std::string> error;
};
OutcomeFields fields_of(const std::variant<Outcome, Error>& result);
std::variant<Outcome, Error> result_from(OutcomeFields fields);

}  // namespace msci
