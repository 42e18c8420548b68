#include "lint/junit.h"

#include <fmt/format.h>

#include "lint/text.h"

namespace msci {
namespace {

// Text or the value of an attribute.
std::string escaped(std::string_view text) {
  std::string escaped;
  for (const char c : valid_utf8(text)) switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\n':
        escaped += "&#10;";
        break;
      default:
        escaped += c;
    }
  return escaped;
}

std::string case_text(std::string_view name, std::string_view file, std::string_view body) {
  return fmt::format("    <testcase name=\"{}\" classname=\"{}\">{}</testcase>\n", escaped(name),
                     escaped(file), body);
}

std::string finding_case(const Finding& finding, const Source& source) {
  const auto [line, column] = finding.range.begin;
  const auto text = escaped(fmt::format("{}:{}:{}: {}: {}", source.name, line, column,
                                        name_of(finding.severity), finding.message));
  const auto body = finding.severity == Severity::error
                        ? fmt::format("<failure type=\"{}\" message=\"{}\">{}</failure>",
                                      escaped(finding.rule), escaped(finding.message), text)
                        : fmt::format("<system-out>{}</system-out>", text);
  return case_text(fmt::format("{} at {}:{}", finding.rule, line, column), source.name, body);
}

std::string suite(std::string_view name, std::size_t tests, std::size_t failures,
                  std::size_t errors, std::string_view cases) {
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}  </testsuite>\n",
      escaped(name), tests, failures, errors, cases);
}

std::string report_suite(const Report& report) {
  const auto& name = report.source.name;
  if (report.findings.empty()) return suite(name, 1, 0, 0, case_text("msci-lint", name, ""));
  std::string cases;
  for (const auto& finding : report.findings)
    cases += finding_case(finding, report.source_of(finding));
  return suite(name, report.findings.size(), counts_of(report).errors, 0, cases);
}

std::string error_suite(const std::vector<Error>& errors) {
  std::string cases;
  for (const auto& error : errors)
    cases += case_text(error.message, "msci-lint",
                       fmt::format("<error message=\"{}\"/>", escaped(error.message)));
  return suite("msci-lint", errors.size(), 0, errors.size(), cases);
}

}  // namespace

std::string to_junit(const Linting& linting) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const auto& report : linting.reports) text += report_suite(report);
  if (!linting.errors.empty()) text += error_suite(linting.errors);
  return text + "</testsuites>\n";
}

}  // namespace msci
