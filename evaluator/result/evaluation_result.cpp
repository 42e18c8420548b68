#include "evaluator/result/evaluation_result.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/statistics.h"
#include "evaluator/result/json_schema.h"

namespace msci {
namespace {

const Outcome* outcome_of(const EvaluationResult& result) {
  return std::get_if<Outcome>(&result.result);
}

Error not_a_result(std::string_view why) {
  return Error{fmt::format("this is not a result of msci-eval: {}", why)};
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

std::optional<double> EvaluationResult::predicted_score() const {
  std::vector<double> fractions;
  for (const auto& size : sizes()) {
    if (!size.predicted) return std::nullopt;
    fractions.push_back(size.predicted->fraction);
  }
  if (!correct() || fractions.empty()) return std::nullopt;
  return geometric_mean(fractions);
}

bool EvaluationResult::is_extrapolated() const {
  return std::any_of(sizes().begin(), sizes().end(), [](const SizeResult& size) {
    return size.predicted && size.predicted->extrapolated;
  });
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

std::string to_json(const EvaluationResult& result) { return dumped(json_of(result)); }

std::string evaluation_schema() {
  return json_schema<EvaluationResult>("evaluation", "msci-eval --json",
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

}  // namespace msci
