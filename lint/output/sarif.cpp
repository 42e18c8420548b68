#include "base/formats/sarif.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files/install_paths.h"
#include "base/json.h"
#include "lint/output/edit_text.h"
#include "lint/output/fingerprints.h"
#include "lint/output/formats.h"
#include "lint/output/rule_pages.h"

namespace msci {
namespace {

// The rules of the findings, in their order. A result refers to a rule by its index in this list.
std::vector<const ListedRule*> rules_of(const Linting& linting, std::span<const ListedRule> rules) {
  std::vector<const ListedRule*> used;
  for (const auto& rule : rules) {
    const auto is_from_rule = [&](const Finding& finding) { return finding.rule == rule.id; };
    const auto has_any = [&](const Report& report) {
      return std::any_of(report.findings.begin(), report.findings.end(), is_from_rule) ||
             std::any_of(report.suppressed.begin(), report.suppressed.end(),
                         [&](const SuppressedFinding& each) { return is_from_rule(each.finding); });
    };
    if (std::any_of(linting.reports.begin(), linting.reports.end(), has_any)) used.push_back(&rule);
  }
  return used;
}

OrderedJson rule_json(const ListedRule& rule, const RulePages& pages) {
  const auto page = page_of(rule);
  OrderedJson json{{"id", rule.id},
                   {"shortDescription", {{"text", fmt::format("{}.", rule.summary())}}},
                   {"help", {{"text", page}, {"markdown", page}}}};
  if (pages.is_on_the_web()) json["helpUri"] = pages.url_of(rule.id);
  json["defaultConfiguration"] = {{"level", name_of(rule.rule->severity)}};
  json["properties"] = {{"tags", OrderedJson::array({rule.family()})}};
  return json;
}

OrderedJson region(const Source& source, const Range& range) {
  return {{"startLine", range.begin.line},
          {"startColumn", sarif_column(source.text, range.begin)},
          {"endLine", range.end.line},
          {"endColumn", sarif_column(source.text, range.end)}};
}

OrderedJson location(const Source& source, const Range& range) {
  return {{"physicalLocation",
           {{"artifactLocation", sarif_artifact(source.name)}, {"region", region(source, range)}}}};
}

OrderedJson note_json(const Place& place, const std::string& message) {
  auto json = location(place.source, place.range);
  json["message"] = {{"text", message}};
  return json;
}

OrderedJson fix_json(const Source& source, const Fix& fix) {
  OrderedJson replacements = OrderedJson::array();
  for (const auto& edit : fix.edits)
    replacements.push_back({{"deletedRegion", region(source, edit.range)},
                            {"insertedContent", {{"text", edit.replacement}}}});
  const auto title = title_of(fix, source);
  return {
      {"description", {{"text", fix.safe ? title : title + " (review it before you apply it)"}}},
      {"artifactChanges", OrderedJson::array({{{"artifactLocation", sarif_artifact(source.name)},
                                               {"replacements", std::move(replacements)}}})}};
}

OrderedJson result_json(const Report& report, const Finding& finding,
                        const std::vector<const ListedRule*>& rules, Fingerprints& fingerprints) {
  const auto& source = report.source_of(finding);
  OrderedJson json{{"ruleId", finding.rule}};
  const auto rule = std::find_if(rules.begin(), rules.end(),
                                 [&](const ListedRule* each) { return each->id == finding.rule; });
  if (rule != rules.end()) json["ruleIndex"] = rule - rules.begin();
  json["level"] = name_of(finding.severity);
  json["message"] = {{"text", finding.message}};
  json["locations"] = OrderedJson::array({location(source, finding.range)});
  for (const auto& note : finding.notes)
    json["relatedLocations"].push_back(note_json(report.place_of(finding, note), note.message));
  for (const auto& fix : finding.fixes)
    if (!fix.edits.empty()) json["fixes"].push_back(fix_json(source, fix));
  json["partialFingerprints"] = {{"msciFinding/v1", fingerprints.of(finding, source)}};
  return json;
}

OrderedJson results_of(const Linting& linting, const std::vector<const ListedRule*>& rules) {
  OrderedJson results = OrderedJson::array();
  Fingerprints fingerprints;
  for (const auto& report : linting.reports) {
    for (const auto& finding : report.findings)
      results.push_back(result_json(report, finding, rules, fingerprints));
    for (const auto& each : report.suppressed) {
      results.push_back(result_json(report, each.finding, rules, fingerprints));
      results.back()["suppressions"] = sarif_suppressions(each.reason);
    }
  }
  return results;
}

OrderedJson invocation(const Linting& linting) {
  const auto problems = problems_of(linting);
  OrderedJson json{{"executionSuccessful", problems.empty()}};
  for (const auto& problem : problems)
    json["toolExecutionNotifications"].push_back(
        {{"level", "error"}, {"message", {{"text", problem.message}}}});
  for (const auto& warning : warnings_of(linting))
    json["toolExecutionNotifications"].push_back(
        {{"level", "warning"}, {"message", {{"text", warning}}}});
  return json;
}

}  // namespace

std::string to_sarif(const Linting& linting, const FormatContext& context) {
  const auto used = rules_of(linting, context.rules);
  OrderedJson described = OrderedJson::array();
  for (const auto* rule : used) described.push_back(rule_json(*rule, context.rule_pages));
  OrderedJson driver{{"name", "msci-lint"}, {"version", program_version()}};
  if (context.rule_pages.is_on_the_web()) driver["informationUri"] = context.rule_pages.index();
  driver["rules"] = std::move(described);
  return sarif_document(std::move(driver), invocation(linting), results_of(linting, used));
}

}  // namespace msci
