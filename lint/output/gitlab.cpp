#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "lint/output/fingerprints.h"
#include "lint/output/formats.h"

namespace msci {
namespace {

std::string_view severity_of(const Finding& finding) {
  if (finding.severity == Severity::error) return "major";
  return finding.severity == Severity::warning ? "minor" : "info";
}

OrderedJson finding_json(const Finding& finding, const Source& source, Fingerprints& fingerprints) {
  // GitLab expects names as in the repository, without "./".
  const auto path = valid_utf8(std::filesystem::path(source.name).lexically_normal().string());
  return {{"description", valid_utf8(finding.message)},
          {"check_name", finding.rule},
          {"fingerprint", fingerprints.of(finding, source)},
          {"severity", severity_of(finding)},
          {"location", {{"path", path}, {"lines", {{"begin", finding.range.begin.line}}}}}};
}

}  // namespace

std::string to_gitlab(const Linting& linting, const FormatContext&) {
  OrderedJson list = OrderedJson::array();
  Fingerprints fingerprints;
  for (const auto& report : linting.reports)
    for (const auto& finding : report.findings)
      list.push_back(finding_json(finding, report.source_of(finding), fingerprints));
  return list.dump(1) + "\n";
}

}  // namespace msci
