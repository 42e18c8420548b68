#include "lint/output/linting.h"

#include <fmt/format.h>

#include <algorithm>

namespace msci {
namespace {

std::size_t count(const Report& report, Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(report.findings.begin(), report.findings.end(),
                    [&](const Finding& finding) { return finding.severity == severity; }));
}

}  // namespace

std::vector<Error> problems_of(const Linting& linting) {
  auto problems = linting.errors;
  for (const auto& report : linting.reports)
    if (report.error)
      problems.push_back({fmt::format("{} could not be checked to its end: {}", report.source.name,
                                      *report.error)});
  return problems;
}

std::vector<std::string> warnings_of(const Linting& linting) {
  std::vector<std::string> warnings;
  for (const auto& report : linting.reports)
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

Counts counts_of(const Report& report) {
  return {.errors = count(report, Severity::error),
          .warnings = count(report, Severity::warning),
          .notes = count(report, Severity::note)};
}

Totals& Totals::operator+=(const Report& report) {
  counts += counts_of(report);
  ++files;
  if (report.error) ++unfinished;
  return *this;
}

Totals totals_of(const Linting& linting) {
  Totals totals;
  for (const auto& report : linting.reports) totals += report;
  return totals;
}

}  // namespace msci
