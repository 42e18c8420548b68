#include <fmt/format.h>

#include "base/formats/xml.h"
#include "lint/at_versions.h"
#include "lint/output/formats.h"

namespace msci {
namespace {

std::string case_text(std::string_view name, std::string_view file, std::string_view body) {
  return fmt::format("    <testcase name=\"{}\" classname=\"{}\">{}</testcase>\n", escape_xml(name),
                     escape_xml(file), body);
}

std::string finding_case(const Finding& finding, const Place& shown) {
  const auto [line, column] = shown.range.begin;
  const auto text =
      escape_xml(fmt::format("{}:{}:{}: {}: {}", shown.file, line, column,
                             to_string(finding.severity), message_with_versions(finding)));
  const auto body = finding.severity == Severity::error
                        ? fmt::format("<failure type=\"{}\" message=\"{}\">{}</failure>",
                                      escape_xml(finding.rule), escape_xml(finding.message), text)
                        : fmt::format("<system-out>{}</system-out>", text);
  return case_text(fmt::format("{} at {}:{}", finding.rule, line, column), shown.file, body);
}

std::string suite(std::string_view name, std::size_t tests, std::size_t failures,
                  std::size_t errors, std::string_view cases) {
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}  </testsuite>\n",
      escape_xml(name), tests, failures, errors, cases);
}

std::string error_text(std::string_view message) {
  return fmt::format("<error message=\"{}\"/>", escape_xml(message));
}

std::string report_suite(const FileReport& report) {
  const auto& name = report.source.name;
  std::string cases;
  for (const auto& finding : report.findings)
    cases += finding_case(finding, report.shown(finding.place));
  auto tests = report.findings.size();
  // A case for the file itself, in which not to be checked is an error.
  if (report.error || report.findings.empty()) {
    ++tests;
    cases += case_text("msci-lint", name, report.error ? error_text(*report.error) : "");
  }
  return suite(name, tests, counts_of(report).errors, report.error ? 1 : 0, cases);
}

std::string error_suite(const std::vector<Error>& errors) {
  std::string cases;
  for (const auto& error : errors)
    cases += case_text(error.message, "msci-lint", error_text(error.message));
  return suite("msci-lint", errors.size(), 0, errors.size(), cases);
}

}  // namespace

std::string to_junit(const RunResult& run, const FormatContext&) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const auto& report : run.reports) text += report_suite(report);
  if (!run.errors.empty()) text += error_suite(run.errors);
  return text + "</testsuites>\n";
}

}  // namespace msci
