#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/at_versions.h"
#include "lint/output/formats.h"

namespace msci {
namespace {

// Percent-encodes the characters that a workflow command cannot hold; `more` names those of
// properties.
std::string escaped(std::string_view text, std::string_view more) {
  std::string escaped;
  for (const char c : text)
    if (std::string_view("%\r\n").find(c) != std::string_view::npos ||
        more.find(c) != std::string_view::npos)
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      escaped += c;
  return escaped;
}

std::string github_command(const Finding& finding, const Place& shown) {
  const auto property = [](std::string_view text) { return escaped(text, ":,"); };
  const auto& [begin, end] = shown.range;
  auto place = fmt::format("file={},line={},endLine={}", property(shown.file), begin.line,
                           std::max(begin.line, end.line));
  // GitHub takes columns only within one line.
  if (begin.line == end.line)
    place += fmt::format(",col={},endColumn={}", begin.column, end.column);
  return fmt::format("::{} {},title={}::{}\n",
                     finding.severity == Severity::note ? "notice" : to_string(finding.severity),
                     place, property(finding.rule),
                     escaped(valid_utf8(message_with_versions(finding)), ""));
}

}  // namespace

std::string to_github(const RunResult& run, const FormatContext& context) {
  SharedFindings of_run;
  auto& said = context.said ? *context.said : of_run;
  std::string text;
  for (const auto& report : run.reports)
    for (const auto& finding : report.findings)
      if (said.is_new(finding)) text += github_command(finding, report.shown(finding.place));
  for (const auto& problem : problems_of(run))
    text += fmt::format("::error title=msci-lint::{}\n", escaped(valid_utf8(problem.message), ""));
  return text;
}

}  // namespace msci
