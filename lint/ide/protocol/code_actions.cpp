#include "lint/ide/protocol/code_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "lint/fix.h"
#include "lint/output/formats.h"

namespace msci {
namespace {

constexpr std::string_view quick_fix = "quickfix";
constexpr std::string_view fix_all = "source.fixAll";

// Kinds form a tree: "source" includes "source.fixAll".
bool wants(const CodeActionRequest& request, std::string_view kind) {
  return request.only.empty() ||
         std::any_of(request.only.begin(), request.only.end(), [&](const std::string& wanted) {
           return kind == wanted || kind.starts_with(wanted + ".");
         });
}

Json action(const CodeActionRequest& request, std::string title, const std::vector<Edit>& edits) {
  return {{"title", std::move(title)},
          {"kind", quick_fix},
          {"edit", {{"changes", {{request.uri, request.converter.edits(edits)}}}}}};
}

// A comment above the finding's line; nothing where a comment would break the line before it, or
// cannot suppress the finding.
std::optional<Edit> suppression(const Source& source, const Finding& finding) {
  if (finding.severity == Severity::error || finding.rule.starts_with("lint.")) return std::nullopt;
  const auto number = finding.place.range.begin.line;
  if (number > 1 && line_at(source.text, number - 1).ends_with('\\')) return std::nullopt;
  const auto line = line_at(source.text, number);
  const auto indent = line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
  const auto end = source.text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
  return Edit{
      {"", {{number, 1}, {number, 1}}},
      fmt::format("{}// msci: allow({}) TODO: give the reason{}", indent, finding.rule, end)};
}

void add_actions(const CodeActionRequest& request, const Finding& finding, Json& actions) {
  const auto& source = request.report.source;
  const Json about =
      Json::array({request.converter.diagnostic(request.report, finding, request.uri)});
  const auto add = [&](Json made) {
    made["diagnostics"] = about;
    actions.push_back(std::move(made));
  };
  for (const auto& fix : finding.fixes) {
    auto made = action(request, title_of(fix, source), fix.edits);
    made["isPreferred"] = fix.safe;
    add(std::move(made));
  }
  if (const auto edit = suppression(source, finding))
    add(action(request, fmt::format("suppress {} here with a comment", finding.rule), {*edit}));
  const auto title = fmt::format("explain {}", finding.rule);
  add({{"title", title},
       {"kind", quick_fix},
       {"command",
        {{"title", title},
         {"command", explain_command},
         {"arguments", Json::array({{{"rule", finding.rule}}})}}}});
}

}  // namespace

Json code_actions(const CodeActionRequest& request) {
  const auto& report = request.report;
  Json actions = Json::array();
  if (wants(request, quick_fix))
    for (const auto& finding : report.findings)
      if (const auto& [file, range] = finding.place;
          file.empty() && range.begin <= request.range.end && request.range.begin <= range.end)
        add_actions(request, finding, actions);
  if (!wants(request, fix_all)) return actions;
  if (const auto all = apply_fixes(report.source, report.findings, Fixes::safe);
      !all.edits.empty()) {
    actions.push_back(action(request, "apply all safe fixes", all.edits));
    actions.back()["kind"] = fix_all;
  }
  return actions;
}

}  // namespace msci
