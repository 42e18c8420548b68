#include "lint/lint_and_fix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/append.h"

namespace msci {
namespace {

// Ends the loop if two rules undo each other's fixes.
constexpr int max_rounds = 10;

std::string faulty(const std::vector<std::string>& fixes) {
  return fmt::format(
      "the fixes of {} are left out, since the source would not compile after them; this is a "
      "fault of msci-lint: please report it",
      fmt::join(std::set<std::string>(fixes.begin(), fixes.end()), ", "));
}

// The findings of rules that were asked for, without those that a baseline knows: errors of other
// rules show, but their fixes are not applied.
std::vector<Finding> findings_to_fix(const FileReport& report, std::span<const ListedRule> rules,
                                     const LintRequest& request, const FixRequest& fix) {
  auto remaining = report;
  if (fix.hide_known) fix.hide_known(remaining);
  std::erase_if(remaining.findings, [&](const Finding& finding) {
    const auto* rule = find_rule(rules, finding.rule);
    return rule && !selected(*rule, request);
  });
  return std::move(remaining.findings);
}

}  // namespace

Result<LintResult> lint_and_fix(const Source& source, std::span<const ListedRule> rules,
                                const LintRequest& request, const FixRequest& fix,
                                PreambleCache* preamble_cache, const OnProgress& on_progress) {
  auto first = examine(source, rules, request, preamble_cache, on_progress);
  if (!first) return first.error();
  LintResult made{.report = *first};
  auto now = *std::move(first);
  for (int round = 0; round < max_rounds; ++round) {
    auto changed = apply_fixes(now.source, findings_to_fix(now, rules, request, fix), fix.which);
    if (changed.text == now.source.text) break;
    auto next = examine({source.name, std::move(changed.text)}, rules, request);
    if (!next) return next.error();
    if (now.compiled && !next->compiled) {
      for (auto* report : {&made.report, made.fixed ? &*made.fixed : nullptr})
        if (report) report->warnings.push_back(faulty(changed.fixes));
      break;
    }
    append(made.fixes, changed.fixes);
    now = *std::move(next);
    made.fixed = now;
  }
  return made;
}

}  // namespace msci
