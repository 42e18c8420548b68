#include "lint/output/run_result.h"

#include <fmt/format.h>

#include <algorithm>

namespace msci {
namespace {

std::size_t count(const FileReport& report, Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(report.findings.begin(), report.findings.end(),
                    [&](const Finding& finding) { return finding.severity == severity; }));
}

}  // namespace

std::vector<Error> problems_of(const RunResult& run) {
  auto problems = run.errors;
  for (const auto& report : run.reports)
    if (report.error)
      problems.push_back({fmt::format("{} could not be checked to its end: {}", report.source.name,
                                      *report.error)});
  return problems;
}

std::vector<std::string> warnings_of(const RunResult& run) {
  std::vector<std::string> warnings;
  for (const auto& report : run.reports)
    for (const auto& warning : report.warnings)
      warnings.push_back(fmt::format("{}: {}", report.source.name, warning));
  return warnings;
}

Counts& Counts::operator+=(const Counts& other) {
  errors += other.errors;
  warnings += other.warnings;
  notes += other.notes;
  return *this;
}

Counts counts_of(const FileReport& report) {
  return {.errors = count(report, Severity::error),
          .warnings = count(report, Severity::warning),
          .notes = count(report, Severity::note)};
}

Totals& Totals::operator+=(const FileReport& report) {
  counts += counts_of(report);
  ++files;
  if (report.error) ++unfinished;
  return *this;
}

Totals totals_of(const RunResult& run) {
  Totals totals;
  for (const auto& report : run.reports) totals += report;
  if (!run.comparison) return totals;
  totals.counts = {};
  for (const auto& each : run.comparison->added)
    totals.counts += {.errors = each.severity == Severity::error,
                      .warnings = each.severity == Severity::warning,
                      .notes = each.severity == Severity::note};
  return totals;
}

}  // namespace msci
