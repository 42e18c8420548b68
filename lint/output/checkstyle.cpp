#include <fmt/format.h>

#include <map>

#include "base/formats/xml.h"
#include "lint/output/formats.h"

namespace msci {
namespace {

std::string_view level_of(Severity severity) {
  return severity == Severity::note ? "info" : name_of(severity);
}

std::string error_element(const Finding& finding) {
  return fmt::format(
      "    <error line=\"{}\" column=\"{}\" severity=\"{}\" message=\"{}\" source=\"{}\"/>\n",
      finding.range.begin.line, finding.range.begin.column, level_of(finding.severity),
      escape_xml(finding.message), escape_xml(finding.rule));
}

std::string unchecked_element(std::string_view message) {
  return fmt::format("    <error severity=\"error\" message=\"{}\" source=\"msci-lint\"/>\n",
                     escape_xml(message));
}

}  // namespace

std::string to_checkstyle(const Linting& linting, const FormatContext&) {
  std::map<std::string, std::string> elements;  // by file; findings can lie in included files
  for (const auto& report : linting.reports) {
    auto& own = elements[report.source.name];
    for (const auto& finding : report.findings)
      elements[report.source_of(finding).name] += error_element(finding);
    if (report.error) own += unchecked_element(*report.error);
  }
  for (const auto& error : linting.errors)
    elements["msci-lint"] += unchecked_element(error.message);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n";
  for (const auto& [file, errors] : elements)
    text += fmt::format("  <file name=\"{}\">\n{}  </file>\n", escape_xml(file), errors);
  return text + "</checkstyle>\n";
}

}  // namespace msci
