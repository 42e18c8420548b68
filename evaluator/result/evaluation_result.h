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
#include "evaluator/measure/machine.h"
#include "evaluator/measure/paired_comparison.h"
#include "evaluator/measure/roofline.h"
#include "evaluator/result/described.h"
#include "evaluator/result/diagnostic_fields.h"
#include "evaluator/result/outcome.h"
#include "evaluator/result/phase_times.h"
#include "evaluator/result/strict_result.h"

namespace msci {

// A comparison with another kernel, the rival.
struct ComparisonResult {
  std::string rival;  // its file
  PairedComparison times;
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
  std::vector<std::string> type_mismatches = {};    // buffers, as evaluator/plan/bindings.h tells
  std::optional<StrictResult> strict = {};          // none where the outcome is not right already
  std::optional<ComparisonResult> comparison = {};  // none without a rival, or if one does not run
  std::vector<Diagnostic> diagnostics = {};         // the front end's, for Metal sources
  std::optional<double> elapsed_seconds = {};       // wall clock; a search adds it
  PhaseTimes times = {};                            // not in the JSON

  bool is_checked() const { return std::holds_alternative<Outcome>(result); }
  // Of an error: false, none and empty.
  bool compile_ok() const;
  bool correct() const;
  std::optional<double> score() const;
  const std::vector<SizeResult>& sizes() const;
  const SizeResult* held_out() const;  // null where none was evaluated
  // Also why msci could not check the kernel.
  std::optional<std::string> fail_reason() const;
  bool operator==(const EvaluationResult&) const = default;
};

std::string_view to_string(EvaluationResult::Role role);

// The type of degeneracy: 1 where the task's kernel is missing, 3 where lint calls it a stand-in;
// none of others.
std::optional<int> regression_type(const std::vector<Diagnostic>& diagnostics,
                                   const std::variant<Outcome, Error>& result);

std::string to_json(const EvaluationResult& result);  // one line
Result<EvaluationResult> evaluation_from_json(std::string_view json);

// The same JSON object with the seconds that the evaluation took as its `elapsed_s`, on lines of
// its own. Keys that this version does not know stay.
Result<std::string> with_elapsed_seconds(std::string_view json, double seconds);

template <typename Fields, Described<Ceilings> Value>
void describe(Fields& field, Value& ceilings) {
  field("gflops", ceilings.gflops);
  field("gbps", ceilings.gbps);
}

template <typename Fields, Described<MachineState> Value>
void describe(Fields& field, Value& machine) {
  field("load", machine.load);
  field("clock_mhz", machine.clock_mhz);
}

// A ratio follows from the times that stand beside it.
template <typename Fields>
void describe_ratio(Fields& field, const Ratio& ratio) {
  field.derived("ratio", ratio.median);
  field.derived("low", ratio.interval ? std::optional(ratio.interval->low) : std::nullopt);
  field.derived("high", ratio.interval ? std::optional(ratio.interval->high) : std::nullopt);
}

template <typename Fields, Described<PairedTimes> Value>
void describe(Fields& field, Value& size) {
  field.required("label", size.label);
  describe_ratio(field, PairedComparison{{size}}.overall());
  field.required("candidate", size.candidate);
  field.required("rival", size.rival);
}

template <typename Fields, Described<ComparisonResult> Value>
void describe(Fields& field, Value& comparison) {
  field("rival", comparison.rival);
  field.derived("confidence", versus_confidence);
  field.derived("faster", comparison.times.is_faster());
  describe_ratio(field, comparison.times.overall());
  field("sizes", comparison.times.sizes);
}

template <typename Fields, Described<EvaluationResult> Value>
void describe(Fields& field, Value& result) {
  auto outcome = Fields::reads ? OutcomeFields{} : fields_of(result.result);
  auto source = result.ceilings ? std::optional(result.ceilings->source) : std::nullopt;
  field("file", result.file);
  field.choice("role", result.role, EvaluationResult::Role::skipped);
  field.text("task", result.task);
  field.text("device", result.device);
  field.choice("ceiling_source", source, Ceilings::Source::measured);
  field("ceilings", result.ceilings);
  field.text("protocol", result.protocol);
  field("machine", result.machine);
  field("compile_ok", outcome.compile_ok);
  field("correct", outcome.correct);
  field("score", outcome.score);
  field("fail_reason", outcome.fail_reason);
  field("regression_type", result.regression_type);
  field("threadgroup_bytes", result.threadgroup_bytes);
  field("source_bytes", result.source_bytes);
  field("misread", result.type_mismatches);
  field("sizes", outcome.sizes);
  field("held_out", outcome.held_out);
  field("strict", result.strict);
  field("versus", result.comparison);
  field("diagnostics", result.diagnostics);
  field("error", outcome.error);
  field.if_present("elapsed_s", result.elapsed_seconds);
  if constexpr (Fields::reads) {
    result.result = result_from(std::move(outcome));
    if (result.ceilings && source) result.ceilings->source = *source;
  }
}

}  // namespace msci
