#include "evaluator/proof.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/files/read_file.h"
#include "base/json.h"
#include "base/sha256.h"

namespace msci {
namespace {

constexpr std::size_t shown_failures = 5;

std::string input_of(const Size& size) {
  std::vector<std::string> parameters;
  for (const auto& [name, value] : size.parameters)
    parameters.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{} ({})", size.label, fmt::join(parameters, ", "));
}

const SizeResult* outcome_at(const Outcome& outcome, std::string_view label) {
  for (const auto& size : sizes_of(outcome))
    if (size.label == label) return &size;
  const auto* held_out = held_out_of(outcome);
  return held_out && held_out->label == label ? held_out : nullptr;
}

// The sizes to evaluate; the held-out size only if it was requested.
std::vector<const Size*> cases_of(const Task& task, const Outcome& outcome) {
  std::vector<const Size*> cases;
  for (const auto& size : task.sizes) cases.push_back(&size);
  if (task.held_out && outcome_at(outcome, task.held_out->label)) cases.push_back(&*task.held_out);
  return cases;
}

CaseFailure failure_of(const SizeResult& size) {
  if (const auto* failure = std::get_if<Failure>(&size.answer))
    return {.type = std::string(to_string(failure->cause)), .message = failure->message};
  const auto& verdict = std::get<Verdict>(size.answer);
  auto message = fmt::format("{} {:.3e}", verdict.error_kind, verdict.error_value);
  if (verdict.tolerance) message += fmt::format(", at most {:.3e} allowed", *verdict.tolerance);
  return {.type = "mismatch", .message = std::move(message)};
}

// Nothing where the case is right.
std::optional<CaseFailure> failure_at(const Outcome& outcome, const Size& size, std::size_t index) {
  CaseFailure failure;
  const auto* at = outcome_at(outcome, size.label);
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

OrderedJson to_value(const CaseFailure& failure) {
  return {{"case_idx", failure.case_index},
          {"input_desc", failure.input},
          {"error_type", failure.type},
          {"error_msg", failure.message}};
}

CaseFailure failure_from(const nlohmann::json& json) {
  return {.case_index = json.at("case_idx"),
          .input = json.at("input_desc"),
          .type = json.at("error_type"),
          .message = json.at("error_msg")};
}

std::string dump(const OrderedJson& json) {
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
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

Latency latency_of(const Task& task, const Size& size, const Translation& translation,
                   const Outcome& outcome) {
  Latency latency;
  if (const auto* at = outcome_at(outcome, size.label); at && at->timing)
    latency.milliseconds = 1e3 * at->timing->seconds;
  const auto plan = task.plan(size, translation);
  if (!plan) return latency;
  for (const auto& buffer : plan->buffers)
    latency.memory_mb += 1e-6 * static_cast<double>(buffer.bytes);
  for (const auto& launch : plan->launches)
    if (std::find(latency.kernels.begin(), latency.kernels.end(), launch.kernel) ==
        latency.kernels.end())
      latency.kernels.push_back(launch.kernel);
  return latency;
}

OrderedJson or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson to_value(const Latency& latency) {
  return {{"avg_latency_ms", or_null(latency.milliseconds)},
          {"peak_memory_mb", latency.memory_mb},
          {"operators", latency.kernels}};
}

OrderedJson to_value(const PerfCase& each, std::size_t index) {
  return {{"case_idx", index},
          {"input_desc", each.input},
          {"status", each.failure ? "failed" : "passed"},
          {"framework", to_value(each.framework)},
          {"implementation", to_value(each.implementation)},
          {"speedup", or_null(each.speed_up)},
          {"error_type", each.failure ? OrderedJson(each.failure->type) : OrderedJson(nullptr)},
          {"error_msg", each.failure ? OrderedJson(each.failure->message) : OrderedJson(nullptr)}};
}

// Over all cases that have one.
Latency mean_of(const std::vector<PerfCase>& cases, Latency PerfCase::* which) {
  Latency mean;
  double sum = 0;
  std::size_t timed = 0;
  for (const auto& each : cases) {
    const auto& latency = each.*which;
    mean.memory_mb = std::max(mean.memory_mb, latency.memory_mb);
    if (mean.kernels.empty()) mean.kernels = latency.kernels;
    if (!latency.milliseconds) continue;
    sum += *latency.milliseconds;
    ++timed;
  }
  if (timed > 0) mean.milliseconds = sum / static_cast<double>(timed);
  return mean;
}

}  // namespace

// --- Verifying
// ---------------------------------------------------------------------------------------

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

std::string to_json(const VerifyResult& result) {
  OrderedJson json = {{"version", 1},
                      {"op_name", result.task},
                      {"candidate", result.candidate},
                      {"device", result.device},
                      {"total_cases", result.total},
                      {"passed_cases", result.passed},
                      {"failed_cases", result.failures.size()},
                      {"failures", OrderedJson::array()}};
  for (const auto& failure : result.failures) json["failures"].push_back(to_value(failure));
  return dump(json);
}

Result<VerifyResult> read_verify_result(std::string_view text) {
  const auto parsed = parse_json<OrderedJson>(text);
  if (!parsed) return Error{fmt::format("it is not a verify result ({})", parsed.error().message)};
  const auto& json = *parsed;
  try {
    VerifyResult result{.task = json.at("op_name"),
                        .candidate = json.at("candidate"),
                        .device = json.at("device"),
                        .total = json.at("total_cases"),
                        .passed = json.at("passed_cases")};
    for (const auto& failure : json.at("failures"))
      result.failures.push_back(failure_from(failure));
    return result;
  } catch (const nlohmann::json::exception& problem) {
    return Error{fmt::format("it is not a verify result ({})", problem.what())};
  }
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

// --- Timing
// ------------------------------------------------------------------------------------------

std::optional<double> PerfResult::speed_up() const {
  std::vector<std::optional<double>> ratios;
  for (const auto& each : cases)
    if (!each.failure) ratios.push_back(each.speed_up);
  return mean_ratio(ratios);
}

std::vector<std::size_t> PerfResult::indices(RatioClass kind) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (!cases[i].failure && classify(cases[i].speed_up) == kind) found.push_back(i + 1);
  return found;
}

PerfResult perf_result(const Task& task, const Translation& candidate, const Outcome& outcome,
                       const Translation& seed, const Outcome& seed_outcome, std::string hash,
                       std::string device, Repeats repeats) {
  PerfResult result{.task = std::string(task.name),
                    .candidate = std::move(hash),
                    .device = std::move(device),
                    .repeats = repeats};
  for (const auto* size : cases_of(task, outcome)) {
    PerfCase each{.input = input_of(*size),
                  .framework = latency_of(task, *size, seed, seed_outcome),
                  .implementation = latency_of(task, *size, candidate, outcome)};
    const auto index = result.cases.size() + 1;
    each.speed_up = speed_up(each.framework.milliseconds, each.implementation.milliseconds);
    each.failure = failure_at(outcome, *size, index);
    if (!each.failure) each.failure = failure_at(seed_outcome, *size, index);
    result.cases.push_back(std::move(each));
  }
  return result;
}

std::string to_json(const PerfResult& result) {
  const auto passed = std::count_if(result.cases.begin(), result.cases.end(),
                                    [](const auto& each) { return !each.failure; });
  const auto total = static_cast<std::ptrdiff_t>(result.cases.size());
  OrderedJson json = {
      {"version", 1},
      {"op_name", result.task},
      {"candidate", result.candidate},
      {"device", result.device},
      {"warmup", result.repeats.warmup},
      {"repeats", result.repeats.timed},
      {"total_cases", total},
      {"passed_cases", passed},
      {"failed_cases", total - passed},
      {"nan_indices", result.indices(RatioClass::nan)},
      {"inf_indices", result.indices(RatioClass::infinite)},
      {"zero_indices", result.indices(RatioClass::zero)},
      {"negative_indices", result.indices(RatioClass::negative)},
      {"none_indices", result.indices(RatioClass::none)},
      {"framework", to_value(mean_of(result.cases, &PerfCase::framework))},
      {"implementation", to_value(mean_of(result.cases, &PerfCase::implementation))},
      {"speedup", or_null(result.speed_up())},
      {"per_shape_results", OrderedJson::array()}};
  for (std::size_t i = 0; i < result.cases.size(); ++i)
    json["per_shape_results"].push_back(to_value(result.cases[i], i + 1));
  return dump(json);
}

}  // namespace msci
