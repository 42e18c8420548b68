#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/files/read_file.h"
#include "base/sha256.h"
#include "evaluator/result/files/perf_result.h"
#include "evaluator/result/json_fields.h"

namespace msci {
namespace {

constexpr std::size_t shown_failures = 5;

CaseFailure failure_of(const SizeResult& size) {
  if (const auto* failure = std::get_if<Failure>(&size.answer))
    return {.type = std::string(to_string(failure->cause)), .message = failure->message};
  const auto& verdict = std::get<Verdict>(size.answer);
  auto message = fmt::format("{} {:.3e}", verdict.error_kind, verdict.error_value);
  if (verdict.tolerance) message += fmt::format(", at most {:.3e} allowed", *verdict.tolerance);
  return {.type = "mismatch", .message = std::move(message)};
}

std::string first_failures(const VerifyResult& result) {
  std::string text;
  for (std::size_t i = 0; i < std::min(result.failures.size(), shown_failures); ++i) {
    const auto& failure = result.failures[i];
    text += fmt::format("\n  case {}, {}: {}: {}", failure.case_index, failure.input, failure.type,
                        failure.message);
  }
  return text;
}

}  // namespace

std::string input_of(const Size& size) {
  std::vector<std::string> parameters;
  for (const auto& [name, value] : size.parameters)
    parameters.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{} ({})", size.label, fmt::join(parameters, ", "));
}

const SizeResult* find_size(const Outcome& outcome, std::string_view label) {
  for (const auto& size : sizes_of(outcome))
    if (size.label == label) return &size;
  const auto* held_out = held_out_of(outcome);
  return held_out && held_out->label == label ? held_out : nullptr;
}

std::vector<const Size*> cases_of(const Task& task, const Outcome& outcome) {
  std::vector<const Size*> cases;
  for (const auto& size : task.sizes) cases.push_back(&size);
  if (task.held_out && find_size(outcome, task.held_out->label)) cases.push_back(&*task.held_out);
  return cases;
}

std::optional<CaseFailure> failure_at(const Outcome& outcome, const Size& size, std::size_t index) {
  CaseFailure failure;
  const auto* at = find_size(outcome, size.label);
  if (at && at->correct()) return std::nullopt;
  if (const auto* rejected = std::get_if<Rejected>(&outcome))
    failure = {.type = rejected->stage == Rejected::Stage::compile ? "compile" : "pipeline",
               .message = rejected->reason};
  else if (at)
    failure = failure_of(*at);
  else
    failure = {.type = "not_run", .message = "an earlier size was not right"};
  failure.case_index = index;
  failure.input = input_of(size);
  return failure;
}

VerifyResult verify_result(const Task& task, const Outcome& outcome, std::string candidate,
                           std::string device) {
  VerifyResult result{.task = std::string(task.name),
                      .candidate = std::move(candidate),
                      .device = std::move(device)};
  for (const auto* size : cases_of(task, outcome)) {
    ++result.total;
    if (auto failure = failure_at(outcome, *size, result.total))
      result.failures.push_back(*std::move(failure));
    else
      ++result.passed;
  }
  return result;
}

std::string to_json(const VerifyResult& result) { return indented(json_of(result)); }

Result<VerifyResult> read_verify_result(std::string_view text) {
  auto result = read_strictly<VerifyResult>(text);
  if (!result) return Error{fmt::format("it is not a verify result ({})", result.error().message)};
  return result;
}

std::optional<Error> refuse_timing(const std::string& path, std::string_view candidate_text) {
  const auto refusal = [&](std::string_view why) {
    return Error{fmt::format(
        "no timing without proof: {}: {}; msci-eval --verify-only --verify-result writes one", path,
        why)};
  };
  const auto file = read_source(path);
  if (!file) return refusal(file.error().message);
  const auto result = read_verify_result(file->text);
  if (!result) return refusal(result.error().message);
  if (result->total == 0) return refusal("it has no cases");
  if (result->candidate != sha256_of(candidate_text)) return refusal("it is about another kernel");
  if (result->proves(result->candidate)) return std::nullopt;
  return Error{fmt::format("no timing without proof: {}: {} of {} cases passed{}", path,
                           result->passed, result->total, first_failures(*result))};
}

void describe(Fields& field, CaseFailure& failure) {
  field.required("case_idx", failure.case_index, "from 1");
  field.required("input_desc", failure.input, "the size and its parameters");
  field.required("error_type", failure.type, "mismatch, compile, pipeline, or a failure's cause");
  field.required("error_msg", failure.message, "what is wrong");
}

void describe(Fields& field, VerifyResult& result) {
  field.derived("version", 1, "of the format");
  field.required("op_name", result.task, "the task");
  field.required("candidate", result.candidate, "SHA-256 of the text");
  field.required("device", result.device, "its name");
  field.required("total_cases", result.total, "the sizes");
  field.required("passed_cases", result.passed, "those that are right");
  field.derived("failed_cases", result.failures.size(), "the others");
  field.required("failures", result.failures, "what is wrong at each");
}

}  // namespace msci
