#include "lint/output/run_result.h"

#include <fmt/format.h>

namespace msci {

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

Counts& Counts::operator+=(Severity severity) {
  errors += severity == Severity::error;
  warnings += severity == Severity::warning;
  notes += severity == Severity::note;
  return *this;
}

Counts counts_of(const FileReport& report) {
  Counts counts;
  for (const auto& finding : report.findings) counts += finding.severity;
  return counts;
}

Totals& Totals::operator+=(const FileReport& report) {
  for (const auto& finding : report.findings)
    if (shared_.is_new(finding)) counts += finding.severity;
  ++files;
  if (report.error) ++unfinished;
  if (report.proofs) {
    kernels += report.proofs->kernels.size();
    unproved += report.proofs->unproved.size();
    for (const auto& each : report.proofs->unproved) ++reasons[each.reason];
    if (proofs_off.empty()) proofs_off = report.proofs->off;
  }
  return *this;
}

Totals totals_of(const RunResult& run) {
  Totals totals;
  for (const auto& report : run.reports) totals += report;
  if (!run.comparison) return totals;
  totals.counts = {};
  for (const auto& each : run.comparison->added) totals.counts += each.severity;
  return totals;
}

}  // namespace msci
