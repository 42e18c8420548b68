#include "lint/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/files/read_file.h"
#include "base/json.h"
#include "base/text.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr int format_version = 1;

// Apple's compiler reports errors of these families too: a kernel that does not build stays an
// error.
bool is_refusal(const Finding& finding) {
  constexpr std::array<std::string_view, 3> families = {"metal.", "resource.", "security."};
  return finding.severity == Severity::error &&
         std::any_of(families.begin(), families.end(),
                     [&](std::string_view family) { return finding.rule.starts_with(family); });
}

// The name of a file, seen from the baseline's folder.
std::string seen_from(const std::string& baseline, const std::string& file) {
  std::error_code none;
  const auto folder = fs::absolute(baseline, none).lexically_normal().parent_path();
  return valid_utf8(
      fs::absolute(file, none).lexically_normal().lexically_relative(folder).string());
}

BaselineEntry entry_of(const Finding& finding, const FileReport& report,
                       const std::string& baseline) {
  const auto line = line_at(report.source_of(finding.place).text, finding.place.range.begin.line);
  return {.file = seen_from(baseline, report.shown(finding.place).file),
          .rule = finding.rule,
          .message = valid_utf8(finding.message),
          .line = valid_utf8(trimmed(line))};
}

Baseline from_json(const OrderedJson& json) {
  Baseline baseline;
  for (const auto& each : json.at("findings"))
    baseline[{.file = each.at("file"),
              .rule = each.at("rule"),
              .message = each.at("message"),
              .line = each.at("line")}] += each.at("count").get<std::size_t>();
  return baseline;
}

}  // namespace

Baseline baseline_of(const std::vector<FileReport>& reports, const std::string& path) {
  Baseline baseline;
  for (const auto& report : reports) {
    Baseline own;
    for (const auto& finding : report.findings)
      if (!is_refusal(finding)) ++own[entry_of(finding, report, path)];
    for (const auto& [entry, count] : own) baseline[entry] = std::max(baseline[entry], count);
  }
  return baseline;
}

std::size_t size_of(const Baseline& baseline) {
  std::size_t size = 0;
  for (const auto& [_, count] : baseline) size += count;
  return size;
}

std::string to_json(const Baseline& baseline) {
  std::vector<std::string> lines;
  for (const auto& [known, count] : baseline)
    lines.push_back("    " + OrderedJson{{"file", known.file},
                                         {"rule", known.rule},
                                         {"message", known.message},
                                         {"line", known.line},
                                         {"count", count}}
                                 .dump());
  return fmt::format("{{\n  \"msci_baseline\": {},\n  \"findings\": [\n{}\n  ]\n}}\n",
                     format_version, fmt::join(lines, ",\n"));
}

Result<Baseline> read_baseline(const std::string& path) {
  const auto source = read_source(path);
  if (!source) return source.error();
  const Error malformed{
      fmt::format("{}: this is not a baseline written by --write-baseline", path)};
  const auto json = parse_json<OrderedJson>(source->text);
  if (!json) return malformed;
  try {
    if (json->at("msci_baseline") != format_version)
      return Error{fmt::format(
          "{}: this baseline has another format version; write it anew with --write-baseline",
          path)};
    return from_json(*json);
  } catch (const OrderedJson::exception&) {
    return malformed;
  }
}

std::vector<Finding> remove_known(FileReport& report, const Baseline& baseline,
                                  const std::string& path) {
  std::vector<Finding> removed;
  Baseline own;
  std::erase_if(report.findings, [&](const Finding& finding) {
    if (is_refusal(finding)) return false;
    const auto known = baseline.find(entry_of(finding, report, path));
    if (known == baseline.end() || own[known->first] == known->second) return false;
    ++own[known->first];
    removed.push_back(finding);
    return true;
  });
  return removed;
}

}  // namespace msci
