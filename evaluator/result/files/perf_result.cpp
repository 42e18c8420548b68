#include "evaluator/result/files/perf_result.h"

#include <algorithm>
#include <cmath>

#include "evaluator/result/json_fields.h"

namespace msci {
namespace {

Latency latency_of(const Task& task, const Size& size, const Translation& translation,
                   const Outcome& outcome) {
  Latency latency;
  if (const auto* at = find_size(outcome, size.label); at && at->timing)
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
  return indented(json);
}

}  // namespace msci
