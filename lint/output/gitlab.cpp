#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "base/json.h"
#include "base/text.h"
#include "lint/output/formats.h"

namespace msci {
namespace {

std::string_view severity_of(const Finding& finding) {
  if (finding.severity == Severity::error) return "major";
  return finding.severity == Severity::warning ? "minor" : "info";
}

// FNV-1a: the same on every machine, and short.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3;
  return hash;
}

OrderedJson finding_json(const Finding& finding, const Source& source,
                         std::map<std::string, unsigned>& seen) {
  // GitLab expects names as in the repository, without "./".
  const auto path = valid_utf8(std::filesystem::path(source.name).lexically_normal().string());
  const auto line = trimmed(line_at(source.text, finding.range.begin.line));
  const auto key = fmt::format("{}\n{}\n{}\n{}", path, finding.rule, finding.message, line);
  return {{"description", valid_utf8(finding.message)},
          {"check_name", finding.rule},
          {"fingerprint", fmt::format("{:016x}", hash_of(fmt::format("{}\n{}", key, seen[key]++)))},
          {"severity", severity_of(finding)},
          {"location", {{"path", path}, {"lines", {{"begin", finding.range.begin.line}}}}}};
}

}  // namespace

std::string to_gitlab(const Linting& linting, const FormatContext&) {
  OrderedJson list = OrderedJson::array();
  std::map<std::string, unsigned> seen;
  for (const auto& report : linting.reports)
    for (const auto& finding : report.findings)
      list.push_back(finding_json(finding, report.source_of(finding), seen));
  return list.dump(1) + "\n";
}

}  // namespace msci
