#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>
#include <vector>

#include "base/io/report.h"
#include "base/text.h"
#include "engine/device/worker.h"
#include "evaluator/modes/diagnosis/first_difference.h"
#include "evaluator/modes/exit_codes.h"
#include "evaluator/modes/modes.h"
#include "evaluator/modes/selected_candidates.h"
#include "evaluator/result/finding_text.h"

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
std::vector<Diagnostic> first_of_each_kind(const std::vector<Diagnostic>& findings) {
  std::set<std::string> kinds;
  std::vector<Diagnostic> first;
  for (const auto& finding : findings)
    if (first.size() < most_findings_shown && kinds.insert(finding.id).second)
      first.push_back(finding);
  return first;
}

// The checked mode runs on the processor; `elsewhere`: the device of the verdict, if another.
std::string findings_text(const Checked& checked, std::string_view size, const std::string& file,
                          std::string_view elsewhere, Paint paint) {
  const auto shown = first_of_each_kind(checked.findings);
  const auto left_out = checked.findings.size() - shown.size();
  auto text = fmt::format("  a run{} with every access checked, at size {}, finds{}:\n",
                          elsewhere.empty() ? "" : " on the processor", size,
                          left_out > 0 ? fmt::format(" this and {} more (--check)", left_out) : "");
  for (const auto& finding : shown) text += text_of(finding, file, paint);
  return text;
}

std::string nothing_found(const std::vector<std::string>& sizes, std::string_view elsewhere) {
  const auto other_device = fmt::format(
      "judge the kernel with --device cpu; if it is right there, look at what differs "
      "on {}: the order of threads, and fast math (--numerics); if not, ",
      report_text(elsewhere));
  return fmt::format(
      "  runs{} with every access checked, at {}, find no fault: {}look at the arithmetic, and at "
      "which elements each thread computes; --reduce wrong shrinks the kernel to what is wrong\n",
      elsewhere.empty() ? "" : " on the processor", fmt::join(sizes, " and "),
      elsewhere.empty() ? "" : other_device);
}

// "k.metal:15: note: ..."; "k.metal: note: one of lines 15 and 17: ..." of several.
std::string text_of(const FirstDifference& difference, const std::string& file) {
  auto text = fmt::format("  {}\n", difference.where);
  if (difference.lines.size() == 1)
    text += fmt::format("{}:{}: note: {}\n", file, difference.lines.front(), difference.words);
  else if (!difference.lines.empty())
    text += fmt::format("{}: note: one of the lines {}: {}\n", file,
                        fmt::join(difference.lines, ", "), difference.words);
  else if (!difference.words.empty())
    text += fmt::format("{}: note: {}\n", file, difference.words);
  return text;
}

// The values of the task's own kernel tell where a wrong one begins to differ.
std::optional<std::string> compared_with_seed(const EvaluatorOptions& options,
                                              const Candidate& candidate, const Task& task,
                                              const EvaluationResult& result) {
  if (task.seed.empty() || candidate.seed_of == &task) return std::nullopt;
  const auto limit = options.devices.time_limit ? options.devices.run_limit() : longest_comparison;
  const auto processor = open_worker_device(cpu_device_name, {.run = limit});
  if (!processor) return std::nullopt;
  const auto seed = candidate_of({.task = &task}, gate_rules(),
                                 compile_request_of(options, &task, TranslationPurpose::numerics));
  const auto found = find_first_difference(candidate, seed, task, result, **processor,
                                           std::chrono::steady_clock::now() + limit);
  return found ? std::optional(text_of(*found, printable(result.file))) : std::nullopt;
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

std::string diagnose(const EvaluatorOptions& options, const Candidate& candidate, const Task& task,
                     const EvaluationResult& result) {
  const auto compared = [&] {
    return compared_with_seed(options, candidate, task, result).value_or("");
  };
  const auto not_checked = [&](std::string_view why) {
    return fmt::format("  a run with every access checked could not be made: {}\n{}",
                       report_text(why), compared());
  };
  const auto limit = std::min(options.devices.run_limit(), longest_checked_run);
  const auto processor = open_worker_device(cpu_device_name, {.run = limit});
  if (!processor) return not_checked(processor.error().message);
  // The strict verdict has made checked runs.
  if (!std::ranges::any_of(result.sizes(), has_wrong_values)) return compared();
  const auto elsewhere = result.device == (*processor)->info().name ? std::string() : result.device;
  std::vector<std::string> without_fault;
  for (const auto& size : sizes_to_check(task, result)) {
    auto at_size = task;
    at_size.small = size;
    const auto run = check_candidate_on(candidate, &at_size, **processor).result;
    if (const auto* error = std::get_if<Error>(&run)) return not_checked(error->message);
    if (const auto* rejected = std::get_if<Rejected>(&run)) return not_checked(rejected->reason);
    const auto& checked = std::get<Checked>(run);
    if (!checked.findings.empty())
      return findings_text(checked, size.label, printable(result.file), elsewhere,
                           {wants_colour(options.output.colour)});
    if (!checked.failure) without_fault.emplace_back(size.label);
    if (without_fault.empty()) return not_checked(checked.failure->message);
  }
  const auto text = compared();
  return !text.empty() ? text : nothing_found(without_fault, elsewhere);
}

}  // namespace msci
