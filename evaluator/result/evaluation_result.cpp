#include "evaluator/result/evaluation_result.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/statistics.h"
#include "evaluator/result/json_fields.h"
#include "evaluator/result/result_heading.h"

namespace msci {
namespace {

const Outcome* outcome_of(const EvaluationResult& result) {
  return std::get_if<Outcome>(&result.result);
}

Error not_a_result(std::string_view why) {
  return Error{fmt::format("this is not a result of msci-eval: {}", why)};
}

// A ratio follows from the times that stand beside it.
void describe_ratio(Fields& field, const std::optional<Ratio>& ratio) {
  field.derived("ratio", ratio ? std::optional(ratio->median) : std::nullopt,
                "how many times as fast as the rival; null if there are too few rounds for an "
                "interval, and 1 for the same program");
  field.derived("low", ratio ? std::optional(ratio->interval.low) : std::nullopt,
                "the lower end of its interval");
  field.derived("high", ratio ? std::optional(ratio->interval.high) : std::nullopt,
                "the upper end of its interval");
}

}  // namespace

std::string_view to_string(EvaluationResult::Role role) {
  switch (role) {
    case EvaluationResult::Role::candidate:
      return "candidate";
    case EvaluationResult::Role::seed:
      return "seed";
    case EvaluationResult::Role::skipped:
      return "skipped";
  }
  return "candidate";
}

bool EvaluationResult::compile_ok() const { return fields_of(result).compile_ok.value_or(false); }

bool EvaluationResult::correct() const {
  const auto* outcome = outcome_of(*this);
  return outcome && std::holds_alternative<Scored>(*outcome);
}

std::optional<double> EvaluationResult::score() const {
  const auto* outcome = outcome_of(*this);
  return outcome ? score_of(*outcome) : std::nullopt;
}

namespace {

// Whether a kernel that is wrong at all sizes tries to do the task.
bool is_attempt(const EvaluationResult& result) {
  return !result.regression_type &&
         std::ranges::none_of(result.diagnostics, [](const Diagnostic& diagnostic) {
           return diagnostic.id == "degenerate.no_output";
         });
}

// For reinforcement learning (docs/reference/python.md). The steps are in the order of merit, so
// that no faster kernel that is wrong earns as much as a slow one that is right.
std::optional<double> reward_of(const EvaluationResult& result) {
  const auto* outcome = outcome_of(result);
  if (!outcome) return std::nullopt;
  if (!result.compile_ok()) return 0.0;
  const auto& sizes = result.sizes();
  if (!result.correct()) {
    const auto right = std::ranges::count_if(sizes, &SizeResult::correct);
    if (right == 0 && !is_attempt(result)) return 0.0;
    const auto all = std::max<std::size_t>(1, sizes.size());
    return 0.1 + 0.2 * static_cast<double>(right) / static_cast<double>(all);
  }
  if (result.strict && !result.strict->passed) return 0.3;
  const auto ratio = result.comparison ? result.comparison->ratio() : std::nullopt;
  const auto gain = ratio ? ratio->interval.low : 0.0;
  return 0.5 + 0.5 * gain / (1 + gain);
}

}  // namespace

std::optional<double> EvaluationResult::predicted_score() const {
  std::vector<double> fractions;
  for (const auto& size : sizes()) {
    if (!size.predicted) return std::nullopt;
    fractions.push_back(size.predicted->fraction);
  }
  if (!correct() || fractions.empty()) return std::nullopt;
  return geometric_mean(fractions);
}

std::vector<PredictedPass> EvaluationResult::predicted_passes() const {
  std::vector<PredictedPass> passes;
  for (const auto& size : sizes()) {
    if (!size.predicted || size.predicted->fraction <= 0) continue;
    passes.push_back(size.predicted->pass());
    passes.back().seconds = 1 / size.predicted->fraction;
  }
  return passes;
}

const std::vector<SizeResult>& EvaluationResult::sizes() const {
  static const std::vector<SizeResult> none;
  const auto* outcome = outcome_of(*this);
  return outcome ? sizes_of(*outcome) : none;
}

const SizeResult* EvaluationResult::held_out() const {
  const auto* outcome = outcome_of(*this);
  return outcome ? held_out_of(*outcome) : nullptr;
}

std::optional<std::string> EvaluationResult::fail_reason() const {
  if (const auto* error = std::get_if<Error>(&result))
    return "could not be checked: " + error->message;
  return msci::fail_reason(std::get<Outcome>(result));
}

void apply_strict_verdict(EvaluationResult& result) {
  const auto* outcome = outcome_of(result);
  if (!outcome) return;
  if (auto reason = strict_fail_reason(*outcome, result.strict))
    result.result = Outcome{Wrong{sizes_of(*outcome), *std::move(reason)}};
}

std::optional<int> regression_type(const std::vector<Diagnostic>& diagnostics,
                                   const std::variant<Outcome, Error>& result) {
  for (const auto& diagnostic : diagnostics) {
    if (diagnostic.severity != Severity::error) continue;
    if (diagnostic.id == "degenerate.no_kernel") return 1;
    if (diagnostic.id.starts_with("degenerate.")) return 3;
  }
  const auto* outcome = std::get_if<Outcome>(&result);
  const auto* rejected = outcome ? std::get_if<Rejected>(outcome) : nullptr;
  return rejected && rejected->kernel_is_missing ? std::optional(1) : std::nullopt;
}

std::string to_json(const EvaluationResult& result) { return to_line(json_of(result)); }

std::string evaluation_schema() {
  return json_schema(type_of<EvaluationResult>(), "evaluation", "msci-eval --json",
                     "One object per line, file and task.");
}

Result<EvaluationResult> evaluation_from_json(std::string_view json) {
  auto result = read_strictly<EvaluationResult>(json);
  if (!result) return not_a_result(result.error().message);
  return result;
}

Result<std::string> with_elapsed_seconds(std::string_view json, double seconds) {
  auto parsed = parse_json<OrderedJson>(json);
  if (!parsed) return not_a_result(parsed.error().message);
  if (!parsed->is_object()) return not_a_result("it is not a JSON object");
  (*parsed)["elapsed_s"] = seconds;
  return parsed->dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

void describe(Fields& field, Ceilings& ceilings) {
  field("gflops", ceilings.gflops, "1e9 operations per second");
  field("gbps", ceilings.gbps, "1e9 bytes per second");
  field("beside_load", ceilings.is_beside_load,
        "whether other work ran while they were measured, so that they may be too low");
}

void describe(Fields& field, MachineState& machine) {
  field("load", machine.load, "runnable processes, averaged over the last minute");
  field("clock_mhz", machine.clock_mhz, "averaged over the processors");
}

void describe(Fields& field, PairedTimes& size) {
  field.required("label", size.label, "of the size");
  describe_ratio(field, PairedComparison{{size}}.overall());
  field.required("candidate", size.candidate, "seconds of each round");
  field.required("rival", size.rival, "seconds of each round of the rival");
}

void describe(Fields& field, ComparisonResult& comparison) {
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

void describe(Fields& field, EvaluationResult& result) {
  auto outcome = field.reads() ? OutcomeFields{} : fields_of(result.result);
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
  field.derived(
      "reward", reward_of(result),
      "for reinforcement learning, from 0 to 1 (docs/reference/python.md); null if it could not be "
      "checked");
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
  field("diagnosis", result.diagnosis,
        "why the kernel is wrong; null if it is right, or if the cause was not looked for");
  field("error", outcome.error, "why msci could not check");
  field.if_present("elapsed_s", result.elapsed_seconds, "wall-clock seconds; a search adds it");
  if (field.reads()) {
    result.result = result_from(std::move(outcome));
    if (result.ceilings && source) result.ceilings->source = *source;
  }
}

void describe_heading(Fields& field, const ResultHeading& heading) {
  field("file", heading.file, "the name as it was given");
  field.text("task", heading.task, "the name of the task");
  field("device", heading.device, "that the kernel ran on: always the processor");
  field("requested_device", heading.requested_device,
        "the other device that --device names, on which it did not run; null without one");
}

}  // namespace msci
