#include "evaluator/result/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace msci {
namespace {

constexpr std::string_view compile_error = "compile error";
constexpr std::string_view pipeline_error = "pipeline error";

std::string_view prefix_of(Rejected::Stage stage) {
  return stage == Rejected::Stage::compile ? compile_error : pipeline_error;
}

// The reason without "compile error: ".
Rejected rejected_from(Rejected::Stage stage, std::string_view reason) {
  const auto prefix = prefix_of(stage);
  if (reason.starts_with(prefix)) reason.remove_prefix(prefix.size());
  if (reason.starts_with(": ")) reason.remove_prefix(2);
  return {.stage = stage, .reason = std::string(reason)};
}

std::optional<std::string> fail_reason_of(const Wrong& wrong) {
  if (!wrong.reason.empty()) return wrong.reason;
  const auto first = std::find_if(wrong.sizes.begin(), wrong.sizes.end(),
                                  [](const SizeResult& size) { return !size.correct(); });
  if (first == wrong.sizes.end()) return std::nullopt;
  if (const auto* failure = std::get_if<Failure>(&first->answer))
    return fmt::format("runtime error at size {}: {}", first->label, failure->message);
  const auto& verdict = std::get<Verdict>(first->answer);
  const auto elements = wrong_elements_text(verdict);
  return fmt::format("correctness failed at size {}: {}={:.3e}{}{}", first->label,
                     verdict.error_kind, verdict.error_value, elements.empty() ? "" : "; ",
                     elements);
}

}  // namespace

const std::vector<SizeResult>& sizes_of(const Outcome& outcome) {
  static const std::vector<SizeResult> none;
  if (const auto* wrong = std::get_if<Wrong>(&outcome)) return wrong->sizes;
  if (const auto* scored = std::get_if<Scored>(&outcome)) return scored->sizes;
  return none;
}

const SizeResult* held_out_of(const Outcome& outcome) {
  const auto* scored = std::get_if<Scored>(&outcome);
  return scored && scored->held_out ? &*scored->held_out : nullptr;
}

std::optional<double> score_of(const Outcome& outcome) {
  const auto* scored = std::get_if<Scored>(&outcome);
  return scored ? scored->score : std::nullopt;
}

std::optional<std::string> fail_reason(const Outcome& outcome) {
  if (const auto* wrong = std::get_if<Wrong>(&outcome)) return fail_reason_of(*wrong);
  const auto* rejected = std::get_if<Rejected>(&outcome);
  if (!rejected || rejected->reason.empty()) return std::nullopt;
  return fmt::format("{}: {}", prefix_of(rejected->stage), rejected->reason);
}

OutcomeFields fields_of(const std::variant<Outcome, Error>& result) {
  if (const auto* error = std::get_if<Error>(&result)) return {.error = error->message};
  const auto& outcome = std::get<Outcome>(result);
  const auto* rejected = std::get_if<Rejected>(&outcome);
  const auto* held_out = held_out_of(outcome);
  return {.compile_ok = !rejected || rejected->stage != Rejected::Stage::compile,
          .correct = std::holds_alternative<Scored>(outcome),
          .score = score_of(outcome),
          .fail_reason = fail_reason(outcome),
          .sizes = sizes_of(outcome),
          .held_out = held_out ? std::optional(*held_out) : std::nullopt};
}

std::variant<Outcome, Error> result_from(OutcomeFields fields) {
  if (fields.error) return Error{*std::move(fields.error)};
  if (fields.correct.value_or(false))
    return Outcome{Scored{std::move(fields.sizes), fields.score, std::move(fields.held_out)}};
  auto reason = std::move(fields.fail_reason).value_or("");
  if (!fields.compile_ok.value_or(false))
    return Outcome{rejected_from(Rejected::Stage::compile, reason)};
  if (reason.starts_with(pipeline_error))
    return Outcome{rejected_from(Rejected::Stage::pipeline, reason)};
  return Outcome{Wrong{std::move(fields.sizes), std::move(reason)}};
}

}  // namespace msci
