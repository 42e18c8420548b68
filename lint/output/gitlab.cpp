#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "lint/at_versions.h"
#include "lint/output/formats.h"

namespace msci {
namespace {

std::string_view severity_of(const Finding& finding) {
  if (finding.severity == Severity::error) return "major";
  return finding.severity == Severity::warning ? "minor" : "info";
}

OrderedJson gitlab_finding(const FileReport& report, const Finding& finding,
                           Fingerprints& fingerprints) {
  const auto [file, range] = report.shown(finding.place);
  // GitLab expects names as in the repository, without "./".
  const auto path = valid_utf8(std::filesystem::path(file).lexically_normal().string());
  return {{"description", valid_utf8(message_with_versions(finding))},
          {"check_name", finding.rule},
          {"fingerprint", fingerprints.of(report, finding)},
          {"severity", severity_of(finding)},
          {"location", {{"path", path}, {"lines", {{"begin", range.begin.line}}}}}};
}

}  // namespace

std::string to_gitlab(const RunResult& run, const FormatContext&) {
  OrderedJson list = OrderedJson::array();
  for (const auto& report : run.reports) {
    Fingerprints fingerprints;
    for (const auto& finding : report.findings)
      list.push_back(gitlab_finding(report, finding, fingerprints));
  }
  return list.dump(1) + "\n";
}

}  // namespace msci
