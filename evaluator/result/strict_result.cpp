#include "evaluator/result/strict_result.h"

#include <fmt/format.h>

#include <algorithm>

namespace msci {
namespace {

// Why the passes at a recorded size count for nothing.
std::optional<std::string> broken_rule(const SizeResult& size) {
  if (size.wrong_pass) return fmt::format("at size {} {}", size.label, *size.wrong_pass);
  if (!size.overruns.empty())
    return fmt::format("it writes beside the ends of {} at size {}", size.overruns.front(),
                       size.label);
  if (!size.changed_inputs.empty())
    return fmt::format("it writes to the input {} at size {}", size.changed_inputs.front(),
                       size.label);
  if (!size.keeps_the_rules()) return fmt::format("a timed pass is wrong at size {}", size.label);
  return std::nullopt;
}

std::string reason_of(const SizeResult& size) {
  if (const auto* failure = std::get_if<Failure>(&size.answer)) return failure->message;
  if (!size.correct()) {
    const auto& verdict = std::get<Verdict>(size.answer);
    // A search shows this to its generator, which must not learn the held-out size.
    const auto wrong = size.label == "held out" ? "" : wrong_elements_text(verdict);
    return fmt::format("{} {:.3e} (at most {:.3e}){}{}", verdict.error_kind, verdict.error_value,
                       verdict.tolerance.value_or(0), wrong.empty() ? "" : "; ", wrong);
  }
  return broken_rule(size).value_or("");
}

}  // namespace

std::optional<std::string> why_undecided(const StrictResult& strict) {
  const bool is_wrong =
      !strict.faults.empty() || !std::ranges::all_of(strict.sizes, is_strictly_right);
  if (is_wrong || strict.passed) return std::nullopt;
  if (strict.not_checked) return strict.not_checked;
  if (strict.never_executed) return "never executed: " + *strict.never_executed;
  return strict.not_certified;
}

std::optional<std::string> strict_fail_reason(const Outcome& outcome,
                                              const std::optional<StrictResult>& strict) {
  const auto* scored = std::get_if<Scored>(&outcome);
  if (!scored) return std::nullopt;
  for (const auto& size : scored->sizes)
    if (auto rule = broken_rule(size)) return "strict: " + *rule;
  if (scored->held_out && scored->held_out->correct())
    if (auto rule = broken_rule(*scored->held_out)) return "strict: " + *rule;
  if (!strict || strict->passed) return std::nullopt;
  for (const auto& size : strict->sizes)
    if (!is_strictly_right(size))
      return fmt::format("strict: wrong at size {}: {}", size.label, reason_of(size));
  if (const auto why = why_undecided(*strict))
    return fmt::format("strict: {}{}", strict->not_checked ? "not checked: " : "", *why);
  return "strict: " + (strict->faults.empty() ? "refused" : strict->faults.front());
}

}  // namespace msci
