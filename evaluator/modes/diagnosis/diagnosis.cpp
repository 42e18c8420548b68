#include <algorithm>
#include <chrono>
#include <set>
#include <vector>

#include "engine/device/worker.h"
#include "evaluator/modes/diagnosis/first_difference.h"
#include "evaluator/modes/modes.h"
#include "evaluator/modes/selected_candidates.h"

namespace msci {
namespace {

// Of each of the two sizes. The reruns that some findings need are shorter.
constexpr std::chrono::milliseconds longest_checked_run = std::chrono::seconds(5);
// Of the comparison with the task's own kernel, which mostly takes a second, without --time-limit.
constexpr std::chrono::milliseconds longest_comparison = std::chrono::seconds(10);
constexpr std::size_t most_findings_shown = 3;

bool has_wrong_values(const SizeResult& size) {
  const auto* verdict = std::get_if<Verdict>(&size.answer);
  return verdict && !verdict->correct;
}

std::vector<Size> sizes_to_check(const Task& task, const EvaluationResult& result) {
  std::vector<Size> sizes{task.small};
  const auto wrong = std::ranges::find_if(result.sizes(), has_wrong_values);
  for (const auto& size : task.sizes)
    if (wrong != result.sizes().end() && size.label == wrong->label &&
        size.label != task.small.label)
      sizes.push_back(size);
  return sizes;
}

// The first of each kind, as most others have the same cause.
void set_findings(Diagnosis& diagnosis, const std::vector<Diagnostic>& findings) {
  std::set<std::string> kinds;
  for (const auto& finding : findings)
    if (diagnosis.findings.size() < most_findings_shown && kinds.insert(finding.id).second)
      diagnosis.findings.push_back(finding);
  diagnosis.other_findings = findings.size() - diagnosis.findings.size();
}

// Runs the kernel with checks until a run has findings.
void look_for_faults(Diagnosis& diagnosis, const Candidate& candidate, const Task& task,
                     const EvaluationResult& result, Device& processor) {
  for (const auto& size : sizes_to_check(task, result)) {
    auto at_size = task;
    at_size.small = size;
    const auto run = check_candidate_on(candidate, &at_size, processor).result;
    const auto* checked = std::get_if<Checked>(&run);
    if (const auto* error = std::get_if<Error>(&run)) diagnosis.not_checked = error->message;
    if (const auto* rejected = std::get_if<Rejected>(&run))
      diagnosis.not_checked = rejected->reason;
    if (!checked) return;
    if (checked->failure && checked->findings.empty()) {
      if (diagnosis.sizes.empty()) diagnosis.not_checked = checked->failure->message;
      return;
    }
    diagnosis.sizes.emplace_back(size.label);
    set_findings(diagnosis, checked->findings);
    if (!diagnosis.findings.empty()) return;
  }
}

// The values of the task's own kernel tell where a wrong one begins to differ.
std::optional<FirstDifference> compare_with_seed(const EvaluatorOptions& options,
                                                 const Candidate& candidate, const Task& task,
                                                 const EvaluationResult& result) {
  if (task.seed.empty() || candidate.seed_of == &task) return std::nullopt;
  const auto limit = options.devices.time_limit ? options.devices.run_limit() : longest_comparison;
  const auto processor = open_worker_device(cpu_device_name, {.run = limit});
  if (!processor) return std::nullopt;
  const auto seed = candidate_of({.task = &task}, gate_rules(),
                                 compile_request_of(options, &task, TranslationPurpose::numerics));
  return find_first_difference(candidate, seed, task, result, **processor,
                               std::chrono::steady_clock::now() + limit);
}

bool names_line(const StrictResult& strict) {
  return std::ranges::any_of(strict.findings,
                             [](const Diagnostic& each) { return each.place.is_known(); });
}

}  // namespace

bool is_wrong(const EvaluationResult& result) {
  const auto* outcome = std::get_if<Outcome>(&result.result);
  return outcome && std::holds_alternative<Wrong>(*outcome) &&
         (std::ranges::any_of(result.sizes(), has_wrong_values) || is_wrong_strictly(result));
}

bool is_wrong_strictly(const EvaluationResult& result) {
  return result.strict && std::ranges::any_of(result.strict->sizes, has_wrong_values);
}

Diagnosis diagnose(const EvaluatorOptions& options, const Candidate& candidate, const Task& task,
                   const EvaluationResult& result) {
  Diagnosis diagnosis;
  const auto limit = std::min(options.devices.run_limit(), longest_checked_run);
  const auto processor = open_worker_device(cpu_device_name, {.run = limit});
  if (processor) diagnosis.device = (*processor)->info().name;
  if (!processor)
    diagnosis.not_checked = processor.error().message;
  else if (std::ranges::any_of(result.sizes(), has_wrong_values))
    look_for_faults(diagnosis, candidate, task, result, **processor);
  else if (names_line(*result.strict))  // which has made checked runs
    set_findings(diagnosis, result.strict->findings);
  if (diagnosis.findings.empty())
    diagnosis.difference = compare_with_seed(options, candidate, task, result);
  return diagnosis;
}

}  // namespace msci
