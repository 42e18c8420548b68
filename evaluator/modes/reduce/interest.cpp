#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "evaluator/modes/modes.h"
#include "evaluator/modes/reduce/reduce_file.h"
#include "evaluator/modes/selected_candidates.h"
#include "evaluator/session/run_once.h"

namespace msci {
namespace {

bool is_fault(const std::string& wanted) { return wanted.starts_with("check."); }

// Without its numbers, which change while lines disappear.
std::string without_numbers(const std::string& message) {
  std::string text;
  std::ranges::copy_if(message, std::back_inserter(text),
                       [](char each) { return !std::isdigit(static_cast<unsigned char>(each)); });
  return text;
}

}  // namespace

Interest::Interest(const EvaluatorOptions& options, const Task* task, Device* device)
    : options_(options), wanted_(options.mode.reduce), task_(task), device_(device) {}

bool Interest::needs_task(const std::string& wanted) {
  return wanted == "wrong" || is_fault(wanted);
}

Result<bool> Interest::shows(const Source& source) {
  auto found = find(source);
  if (!found) return found.error();
  if (!*found) return false;
  if (!kept_) kept_ = **found;
  return *kept_ == **found;
}

Result<std::optional<std::string>> Interest::find(const Source& source) {
  const auto purpose =
      is_fault(wanted_) ? TranslationPurpose::checking : TranslationPurpose::running;
  const auto candidate =
      candidate_of({.source = source}, gate_rules(), compile_request_of(options_, task_, purpose));
  shown_.clear();
  if (wanted_ == "refusal") return find_refusal(candidate);
  if (!candidate.compiled) return std::optional<std::string>();
  if (is_fault(wanted_)) return find_fault(candidate);
  if (wanted_ == "wrong") return find_wrong_result(candidate);
  return find_message(candidate.compiled->diagnostics);
}

std::optional<std::string> Interest::find_refusal(const Candidate& candidate) {
  const auto why = !candidate.compiled               ? candidate.compiled.error().message
                   : candidate.compiled->translation ? std::string()
                                                     : candidate.compiled->rejection;
  if (why.empty()) return std::nullopt;
  return without_numbers(why);
}

std::optional<std::string> Interest::find_message(const std::vector<Diagnostic>& findings) {
  std::set<std::string> ids;
  for (const auto& each : findings) ids.insert(each.id);
  shown_ = fmt::format("{}", fmt::join(ids, ", "));
  const auto found = std::ranges::find(findings, wanted_, &Diagnostic::id);
  if (found == findings.end()) return std::nullopt;
  return found->message;
}

Result<std::optional<std::string>> Interest::find_fault(const Candidate& candidate) {
  const auto result = check_candidate_on(candidate, task_, *device_).result;
  // A smaller kernel may not fit the plan.
  const auto* checked = std::get_if<Checked>(&result);
  return checked ? find_message(checked->findings) : std::nullopt;
}

// The first wrong element with its value, and no more wrong elements than at first: a kernel that
// computes nothing is wrong, too.
Result<std::optional<std::string>> Interest::find_wrong_result(const Candidate& candidate) {
  const std::optional<std::string> none;
  Session session(candidate, task_, *device_);
  const auto& size = task_->sizes.front();
  const auto ran = run_once(session, size);
  const auto* run = ran ? std::get_if<Run>(&*ran) : nullptr;
  if (!run) return none;
  if (!reference_) reference_ = task_->reference ? task_->reference(size) : Bytes{};
  const auto verdict = task_->judge(size, *reference_, run->outputs, run->outputs);
  if (!verdict) return verdict.error();
  if (verdict->correct) return none;
  if (!verdict->differences)
    return std::optional(fmt::format("{} {}", verdict->error_kind, verdict->error_value));
  if (!kept_) most_wrong_ = verdict->differences->wrong;
  if (verdict->differences->wrong > most_wrong_) return none;
  return std::optional(verdict->differences->first);
}

}  // namespace msci
