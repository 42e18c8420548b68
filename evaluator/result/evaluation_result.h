// The result of evaluating one kernel on one task: what msci-eval --json writes, and what
// msci-search and msci-report read. docs/json.md describes the JSON.
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
#include "evaluator/result/described.h"
#include "evaluator/result/diagnostic_fields.h"
#include "evaluator/result/outcome.h"
#include "evaluator/result/phase_times.h"
#include "evaluator/result/predicted_comparison.h"
#include "evaluator/result/strict_result.h"

namespace msci {

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

  bool is_checked() const { return std::holds_alternative<Outcome>(result); }
  // If msci could not check the kernel, these are false, none and empty.
  bool compile_ok() const;
  bool correct() const;
  std::optional<double> score() const;
  // Geometric mean of the predicted fractions of the chip's ceiling; none unless all sizes are
  // right and have a prediction.
  std::optional<double> predicted_score() const;
  // Whether a prediction is outside of what the model was fitted to.
  bool is_extrapolated() const;
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

template <typename Fields, Described<Ceilings> Value>
void describe(Fields& field, Value& ceilings) {
  field("gflops", ceilings.gflops, "1e9 operations per second");
  field("gbps", ceilings.gbps, "1e9 bytes per second");
  field("beside_load", ceilings.is_beside_load,
        "whether other work ran while they were measured, so that they may be too low");
}

template <typename Fields, Described<MachineState> Value>
void describe(Fields& field, Value& machine) {
  field("load", machine.load, "runnable processes, averaged over the last minute");
  field("clock_mhz", machine.clock_mhz, "averaged over the processors");
}

// A ratio follows from the times that stand beside it.
template <typename Fields>
void describe_ratio(Fields& field, const std::optional<Ratio>& ratio) {
  field.derived("ratio", ratio ? std::optional(ratio->median) : std::nullopt,
                "how many times as fast as the rival; null if there are too few rounds for an "
                "interval, and 1 for the same program");
  field.derived("low", ratio ? std::optional(ratio->interval.low) : std::nullopt,
                "the lower end of its interval");
  field.derived("high", ratio ? std::optional(ratio->interval.high) : std::nullopt,
                "the upper end of its interval");
}

template <typename Fields, Described<PairedTimes> Value>
void describe(Fields& field, Value& size) {
  field.required("label", size.label, "of the size");
  describe_ratio(field, PairedComparison{{size}}.overall());
  field.required("candidate", size.candidate, "seconds of each round");
  field.required("rival", size.rival, "seconds of each round of the rival");
}

template <typename Fields, Described<ComparisonResult> Value>
void describe(Fields& field, Value& comparison) {
  field("rival", comparison.rival, "the file of the rival");
  field.derived("confidence", versus_confidence, "of the intervals");
  field.derived("faster", comparison.times.is_faster(),
                "whether it is faster than the least gain, with that confidence");
  field.derived("slower", comparison.times.is_slower(), "the same for slower");
  describe_ratio(field, comparison.ratio());
  field("same_program", comparison.same_program,
        "whether both translate to one program, so that no comparison is run");
  field("sizes", comparison.times.sizes, "the same at each size");
}

template <typename Fields, Described<EvaluationResult> Value>
void describe(Fields& field, Value& result) {
  auto outcome = Fields::reads ? OutcomeFields{} : fields_of(result.result);
  auto source = result.ceilings ? std::optional(result.ceilings->source) : std::nullopt;
  field("file", result.file, "the name as it was given");
  field.choice(
      "role", result.role, EvaluationResult::Role::skipped,
      "seed: the task's own kernel, if no FILE is given; skipped: only in a search's history");
  field.text("task", result.task, "null if the source fits none of several tasks");
  field.text("device", result.device, "the name of the device");
  field.choice("ceiling_source", source, Ceilings::Source::plan,
               "the source of the ceilings; plan: the user's own for the task's unit");
  field("ceilings", result.ceilings, "the best possible rates; null if nothing was timed");
  field.text("protocol", result.protocol, "how passes were timed: steady, metal-sci or benchmark");
  field("machine", result.machine, "before timing");
  field("compile_ok", outcome.compile_ok, "whether it was built; null if it could not be checked");
  field("correct", outcome.correct,
        "whether every size is correct; null if it could not be checked");
  field("score", outcome.score,
        "geometric mean of the sizes' fractions; null unless all sizes are correct");
  field("fail_reason", outcome.fail_reason, "why the score is missing");
  field("regression_type", result.regression_type,
        "1: a kernel that the task dispatches is missing; 3: lint reports a fake kernel; null: "
        "neither");
  field("threadgroup_bytes", result.threadgroup_bytes,
        "the largest static threadgroup memory of the task's kernels");
  field("source_bytes", result.source_bytes, "length of the source");
  field.text("program", result.program,
             "digest of the translated program, which is the same for sources that differ in names "
             "or comments only; null if it was not translated for this task");
  field("misread", result.type_mismatches,
        "buffers that the kernel reads as another type than the task binds");
  field("sizes", outcome.sizes, "the sizes in the order of their evaluation");
  field("held_out", outcome.held_out, "the held-out size, if requested");
  field(
      "strict", result.strict,
      "the strict verdict; null if the kernel is not correct, unless the processor refuses it for "
      "another device");
  field("versus", result.comparison, "the comparison with the kernel of --vs");
  field.text("chip", result.chip, "that times are predicted for; null without --predict");
  field.derived("predicted_score", result.predicted_score(),
                "geometric mean of the sizes' predicted fractions; null unless all are correct");
  field("predicted_versus", result.predicted_comparison,
        "the comparison with the kernel of --vs by prediction; null without --predict");
  field("diagnostics", result.diagnostics, "the findings of lint");
  field("error", outcome.error, "why msci could not check");
  field.if_present("elapsed_s", result.elapsed_seconds, "wall-clock seconds; a search adds it");
  if constexpr (Fields::reads) {
    result.result = result_from(std::move(outcome));
    if (result.ceilings && source) result.ceilings->source = *source;
  }
}

}  // namespace msci
