// The result of evaluating one kernel on one task: what msci-eval --json writes, and what
// msci-search and msci-report read. docs/reference/json.md describes the JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "evaluator/measure/paired_comparison.h"
#include "evaluator/measure/roofline.h"
#include "evaluator/result/diagnosis.h"
#include "evaluator/result/outcome.h"
#include "evaluator/result/phase_times.h"
#include "evaluator/result/predicted_comparison.h"
#include "evaluator/result/strict_result.h"

namespace msci {

class Fields;

// A comparison with another kernel, the rival.
struct ComparisonResult {
  std::string rival;            // its file
  PairedComparison times = {};  // empty for the same program
  // Both translate to one program, and no comparison was run.
  bool same_program = false;
  // How many times as fast; none if too few rounds were run.
  std::optional<Ratio> ratio() const { return same_program ? same_program_ratio : times.overall(); }
  bool operator==(const ComparisonResult&) const = default;
};

struct EvaluationResult {
  // skipped: only in the history of a search, whose generator gave no source.
  enum class Role { candidate, seed, skipped };

  std::string file;
  Role role = Role::candidate;
  std::string task = {};                     // empty where the source fits none of several
  std::string device = {};                   // its name
  std::optional<Ceilings> ceilings = {};     // none where nothing was timed
  std::string protocol = {};                 // "steady"; empty where nothing was timed
  std::optional<MachineState> machine = {};  // before the run; none where nothing was timed
  std::variant<Outcome, Error> result = {};  // an Error where msci could not check the kernel
  std::optional<int> regression_type = {};   // as regression_type() has it
  std::optional<std::size_t> threadgroup_bytes = {};  // the most of the task's kernels
  std::size_t source_bytes = 0;
  std::string program = {};  // digest of its translation (tasks/plan/program.h); empty without
  std::vector<std::string> type_mismatches = {};    // buffers, as tasks/plan/bindings.h tells
  std::optional<StrictResult> strict = {};          // none where the outcome is not right already
  std::optional<ComparisonResult> comparison = {};  // none without a rival, or if one does not run
  std::string chip = {};                            // of --predict: "m1-pro"; empty without
  std::optional<PredictedComparison> predicted_comparison = {};  // with the rival, on that chip
  std::vector<Diagnostic> diagnostics = {};    // the front end's, for Metal sources
  std::optional<double> elapsed_seconds = {};  // wall clock; a search adds it
  PhaseTimes times = {};                       // not in the JSON
  std::optional<Diagnosis> diagnosis = {};     // none if the cause was not looked for

  bool is_checked() const { return std::holds_alternative<Outcome>(result); }
  // If msci could not check the kernel, these are false, none and empty.
  bool compile_ok() const;
  bool correct() const;
  std::optional<double> score() const;
  // Geometric mean of the predicted fractions of the chip's ceiling; none unless all sizes are
  // right and have a prediction.
  std::optional<double> predicted_score() const;
  // The predicted passes at the sizes, for claims about two kernels of a task. Their seconds are
  // those over the time at the chip's ceiling, so that results of any sizes compare.
  std::vector<PredictedPass> predicted_passes() const;
  const std::vector<SizeResult>& sizes() const;
  const SizeResult* held_out() const;  // null where none was evaluated
  // Also why msci could not check the kernel.
  std::optional<std::string> fail_reason() const;
  bool operator==(const EvaluationResult&) const = default;
};

// Makes a kernel that only the recorded verdict accepts a wrong one, with the strict verdict's
// reason.
void apply_strict_verdict(EvaluationResult& result);

std::string_view to_string(EvaluationResult::Role role);

// The type of degeneracy: 1 where the task's kernel is missing, 3 where lint calls it a stand-in;
// none of others.
std::optional<int> regression_type(const std::vector<Diagnostic>& diagnostics,
                                   const std::variant<Outcome, Error>& result);

std::string to_json(const EvaluationResult& result);  // one line
std::string evaluation_schema();                      // the JSON schema of that line
Result<EvaluationResult> evaluation_from_json(std::string_view json);

// The same JSON object with the seconds that the evaluation took as its `elapsed_s`, on lines of
// its own. Keys that this version does not know stay.
Result<std::string> with_elapsed_seconds(std::string_view json, double seconds);

void describe(Fields& field, Ceilings& ceilings);
void describe(Fields& field, MachineState& machine);
void describe(Fields& field, PairedTimes& size);
void describe(Fields& field, ComparisonResult& comparison);
void describe(Fields& field, EvaluationResult& result);

}  // namespace msci
