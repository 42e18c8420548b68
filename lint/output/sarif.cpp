#include "base/formats/sarif.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/files/install_paths.h"
#include "base/json.h"
#include "lint/at_versions.h"
#include "lint/output/formats.h"
#include "lint/output/rule_pages.h"

namespace msci {
namespace {

// The rules of the findings, in their order, and where each stands in this list: a result refers to
// its rule by that index.
struct UsedRules {
  std::vector<const ListedRule*> rules;
  std::map<std::string_view, std::size_t> index_of;
};

UsedRules rules_of(const RunResult& run, std::span<const ListedRule> rules) {
  std::set<std::string_view> names;
  for (const auto& report : run.reports) {
    for (const auto& finding : report.findings) names.insert(finding.rule);
    for (const auto& each : report.suppressed) names.insert(each.finding.rule);
  }
  UsedRules used;
  for (const auto& rule : rules) {
    if (!names.contains(rule.id)) continue;
    used.index_of.emplace(rule.id, used.rules.size());
    used.rules.push_back(&rule);
  }
  return used;
}

OrderedJson rule_json(const ListedRule& rule, const RulePages& pages) {
  const auto page = page_of(rule);
  OrderedJson json{{"id", rule.id},
                   {"shortDescription", {{"text", fmt::format("{}.", rule.summary())}}},
                   {"help", {{"text", page}, {"markdown", page}}}};
  if (pages.is_on_the_web()) json["helpUri"] = pages.url_of(rule.id);
  json["defaultConfiguration"] = {{"level", to_string(rule.rule->severity)}};
  json["properties"] = {{"tags", OrderedJson::array({rule.family()})}};
  return json;
}

// `shown` has the lines that outputs call those of `range`.
OrderedJson region(const Source& source, const Range& range, const Range& shown) {
  return {{"startLine", shown.begin.line},
          {"startColumn", sarif_column(source.text, range.begin)},
          {"endLine", shown.end.line},
          {"endColumn", sarif_column(source.text, range.end)}};
}

OrderedJson location(const FileReport& report, const Place& place) {
  const auto [file, shown] = report.shown(place);
  return {{"physicalLocation",
           {{"artifactLocation", sarif_artifact(file)},
            {"region", region(report.source_of(place), place.range, shown)}}}};
}

OrderedJson note_json(const FileReport& report, const Note& note) {
  auto json = location(report, note.place);
  json["message"] = {{"text", note.message}};
  return json;
}

OrderedJson sarif_fix(const Source& source, const Fix& fix) {
  OrderedJson replacements = OrderedJson::array();
  for (const auto& edit : fix.edits)
    replacements.push_back({{"deletedRegion", region(source, edit.place.range, edit.place.range)},
                            {"insertedContent", {{"text", edit.replacement}}}});
  const auto title = title_of(fix, source);
  return {
      {"description", {{"text", fix.safe ? title : title + " (review it before you apply it)"}}},
      {"artifactChanges", OrderedJson::array({{{"artifactLocation", sarif_artifact(source.name)},
                                               {"replacements", std::move(replacements)}}})}};
}

OrderedJson result_json(const FileReport& report, const Finding& finding, const UsedRules& rules,
                        Fingerprints& fingerprints) {
  OrderedJson json{{"ruleId", finding.rule}};
  if (const auto rule = rules.index_of.find(finding.rule); rule != rules.index_of.end())
    json["ruleIndex"] = rule->second;
  json["level"] = to_string(finding.severity);
  json["message"] = {{"text", message_with_versions(finding)}};
  json["locations"] = OrderedJson::array({location(report, finding.place)});
  if (!finding.place.file.empty()) json["analysisTarget"] = sarif_artifact(report.source.name);
  for (const auto& note : finding.notes)
    json["relatedLocations"].push_back(note_json(report, note));
  for (const auto& fix : report.shown_fixes(finding))
    if (!fix.edits.empty()) json["fixes"].push_back(sarif_fix(report.source, fix));
  json["partialFingerprints"] = {{"msciFinding/v1", fingerprints.of(report, finding)}};
  return json;
}

OrderedJson results_of(const RunResult& run, const UsedRules& rules) {
  OrderedJson results = OrderedJson::array();
  for (const auto& report : run.reports) {
    Fingerprints fingerprints;
    for (const auto& finding : report.findings)
      results.push_back(result_json(report, finding, rules, fingerprints));
    for (const auto& each : report.suppressed) {
      results.push_back(result_json(report, each.finding, rules, fingerprints));
      results.back()["suppressions"] = sarif_suppressions(each.reason);
    }
  }
  return results;
}

OrderedJson invocation(const RunResult& run) {
  const auto problems = problems_of(run);
  OrderedJson json{{"executionSuccessful", problems.empty()}};
  for (const auto& problem : problems)
    json["toolExecutionNotifications"].push_back(
        {{"level", "error"}, {"message", {{"text", problem.message}}}});
  for (const auto& warning : warnings_of(run))
    json["toolExecutionNotifications"].push_back(
        {{"level", "warning"}, {"message", {{"text", warning}}}});
  if (const auto unproved = unproved_text(totals_of(run)); !unproved.empty())
    json["toolExecutionNotifications"].push_back(
        {{"level", "note"}, {"message", {{"text", unproved}}}});
  return json;
}

}  // namespace

std::string to_sarif(const RunResult& run, const FormatContext& context) {
  const auto used = rules_of(run, context.rules);
  OrderedJson described = OrderedJson::array();
  for (const auto* rule : used.rules) described.push_back(rule_json(*rule, context.rule_pages));
  OrderedJson driver{{"name", "msci-lint"}, {"version", program_version()}};
  if (context.rule_pages.is_on_the_web()) driver["informationUri"] = context.rule_pages.index();
  driver["rules"] = std::move(described);
  return sarif_document(std::move(driver), invocation(run), results_of(run, used));
}

}  // namespace msci
