#include <fmt/format.h>

#include <map>

#include "base/formats/xml.h"
#include "lint/at_versions.h"
#include "lint/output/formats.h"

namespace msci {
namespace {

std::string_view level_of(Severity severity) {
  return severity == Severity::note ? "info" : to_string(severity);
}

std::string error_element(const Finding& finding, const Location& begin) {
  return fmt::format(
      "    <error line=\"{}\" column=\"{}\" severity=\"{}\" message=\"{}\" source=\"{}\"/>\n",
      begin.line, begin.column, level_of(finding.severity),
      escape_xml(message_with_versions(finding)), escape_xml(finding.rule));
}

std::string unchecked_element(std::string_view message) {
  return fmt::format("    <error severity=\"error\" message=\"{}\" source=\"msci-lint\"/>\n",
                     escape_xml(message));
}

}  // namespace

std::string to_checkstyle(const RunResult& run, const FormatContext&) {
  std::map<std::string, std::string> elements;  // by file; findings can lie in included files
  SharedFindings shared;
  for (const auto& report : run.reports) {
    auto& own = elements[report.source.name];
    for (const auto& finding : report.findings) {
      if (!shared.is_new(finding)) continue;
      const auto [file, range] = report.shown(finding.place);
      elements[file] += error_element(finding, range.begin);
    }
    if (report.error) own += unchecked_element(*report.error);
  }
  for (const auto& error : run.errors) elements["msci-lint"] += unchecked_element(error.message);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n";
  for (const auto& [file, errors] : elements)
    text += fmt::format("  <file name=\"{}\">\n{}  </file>\n", escape_xml(file), errors);
  return text + "</checkstyle>\n";
}

}  // namespace msci
