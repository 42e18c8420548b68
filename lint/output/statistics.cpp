#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/text.h"
#include "lint/output/formats.h"

namespace msci {
namespace {

struct RuleCount {
  std::string rule;
  std::size_t findings = 0;
  std::size_t fixable = 0;  // with a safe fix
};

bool has_safe_fix(const FileReport& report, const Finding& finding) {
  return std::ranges::any_of(report.shown_fixes(finding), &Fix::safe);
}

// The most frequent rule first.
std::vector<RuleCount> rule_counts(const RunResult& run) {
  std::map<std::string, RuleCount> by_rule;
  SharedFindings shared;
  for (const auto& report : run.reports)
    for (const auto& finding : report.findings) {
      if (!shared.is_new(finding)) continue;
      auto& count = by_rule[finding.rule];
      count.rule = finding.rule;
      ++count.findings;
      if (has_safe_fix(report, finding)) ++count.fixable;
    }
  std::vector<RuleCount> counts;
  for (auto& [rule, count] : by_rule) counts.push_back(std::move(count));
  std::stable_sort(counts.begin(), counts.end(),
                   [](const RuleCount& a, const RuleCount& b) { return a.findings > b.findings; });
  return counts;
}

}  // namespace

std::string to_statistics(const RunResult& run, const FormatContext& context) {
  std::string text;
  for (const auto& each : rule_counts(run)) {
    const auto fixable =
        each.fixable > 0 ? fmt::format("  {} with a safe fix", each.fixable) : std::string();
    text += fmt::format("{:>6}  {}{}\n", each.findings, each.rule, fixable);
  }
  for (const auto& report : run.reports)
    if (report.proofs)
      for (const auto& [kernel, reason, detail] : report.proofs->unproved)
        text +=
            fmt::format("not proved: {}: {}: {}{}\n", printable(report.source.name),
                        printable(kernel), reason, detail.empty() ? "" : ": " + printable(detail));
  return text + summary_line(totals_of(run), context);
}

}  // namespace msci
