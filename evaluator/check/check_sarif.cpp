#include "evaluator/check/check_sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/check/fault_table.h"
#include "base/files/install_paths.h"
#include "base/formats/sarif.h"
#include "base/json.h"
#include "evaluator/result/json_fields.h"

namespace msci {
namespace {

// A place that is unknown is the whole file.
OrderedJson location(const CheckedSource& source, const Place& place) {
  const auto& begin = place.range.begin;
  OrderedJson json{{"artifactLocation",
                    sarif_artifact(place.file.empty() ? source.result.heading.file : place.file)}};
  // The text of an included file is not here, so the column of a place in it is unknown.
  if (begin.line > 0 && begin.column > 0) json["region"]["startLine"] = begin.line;
  if (begin.line > 0 && begin.column > 0 && place.file.empty())
    json["region"]["startColumn"] = sarif_column(source.text, begin);
  return {{"physicalLocation", std::move(json)}};
}

OrderedJson result_json(const CheckedSource& source, const Diagnostic& finding) {
  OrderedJson json{{"ruleId", finding.id},
                   {"level", to_string(finding.severity)},
                   {"message", {{"text", finding.message}}},
                   {"locations", OrderedJson::array({location(source, finding.place)})}};
  for (const auto& note : finding.notes) {
    auto related = location(source, note.place);
    related["message"] = {{"text", note.message}};
    json["relatedLocations"].push_back(std::move(related));
  }
  return json;
}

void add_results(OrderedJson& results, const CheckedSource& source) {
  const auto* checked = std::get_if<Checked>(&source.result.result);
  for (const auto& finding : source.result.diagnostics) {
    results.push_back(result_json(source, finding));
    const auto in_run = checked ? joined(finding, *checked) : std::nullopt;
    if (in_run) results.back()["properties"] = {{"inRun", to_string(*in_run)}};
  }
  if (!checked) return;
  for (const auto& fault : checked->findings) {
    results.push_back(result_json(source, fault));
    if (fault.id == finding_id(Fault::Kind::race) && checked->reruns)
      results.back()["properties"] = {
          {"answerDependsOnOrder", checked->reruns->differs.has_value()}};
  }
  for (const auto& [fault, rule, reason] : checked->suppressed) {
    results.push_back(result_json(source, fault));
    results.back()["suppressions"] = sarif_suppressions(reason);
  }
}

// Why a kernel did not run to its end; empty if it did.
std::string problem_of(const CheckResult& result) {
  if (const auto* error = std::get_if<Error>(&result.result)) return error->message;
  if (const auto* rejected = std::get_if<Rejected>(&result.result)) return rejected->reason;
  const auto& failure = std::get<Checked>(result.result).failure;
  return failure ? failure->message : std::string();
}

// What threads wrote to an os_log: no results, since they say nothing about the kernel.
void add_messages(OrderedJson& notifications, const CheckedSource& source) {
  const auto* checked = std::get_if<Checked>(&source.result.result);
  if (!checked) return;
  for (const auto& message : checked->messages)
    notifications.push_back({{"level", "note"},
                             {"message", {{"text", message.text}}},
                             {"locations", OrderedJson::array({location(source, message.place)})}});
}

OrderedJson invocation(std::span<const CheckedSource> sources) {
  OrderedJson notifications = OrderedJson::array();
  for (const auto& [result, text] : sources)
    if (const auto problem = problem_of(result); !problem.empty())
      notifications.push_back(
          {{"level", "error"},
           {"message", {{"text", fmt::format("{}: {}", result.heading.file, problem)}}}});
  for (const auto& [result, text] : sources)
    if (const auto* checked = std::get_if<Checked>(&result.result);
        checked && checked->benign_races.count > 0)
      notifications.push_back(
          {{"level", "note"},
           {"message",
            {{"text", fmt::format("{}: conflicting stores of equal values that were let go: {}",
                                  result.heading.file, checked->benign_races.count)}}}});
  for (const auto& source : sources) add_messages(notifications, source);
  const bool has_error = std::any_of(sources.begin(), sources.end(), [](const auto& each) {
    return std::holds_alternative<Error>(each.result.result);
  });
  return {{"executionSuccessful", !has_error},
          {"toolExecutionNotifications", std::move(notifications)}};
}

OrderedJson rules_of(const OrderedJson& results) {
  std::set<std::string> ids;
  for (const auto& result : results) ids.insert(result["ruleId"].get<std::string>());
  OrderedJson rules = OrderedJson::array();
  for (const auto& id : ids) {
    rules.push_back({{"id", id}});
    if (const auto* kind = kind_of_finding(id))
      rules.back()["shortDescription"] = {{"text", std::string(kind->meaning)}};
  }
  return rules;
}

}  // namespace

std::string to_sarif(std::span<const CheckedSource> sources) {
  OrderedJson results = OrderedJson::array();
  for (const auto& source : sources) add_results(results, source);
  OrderedJson driver{
      {"name", "msci-eval"}, {"version", program_version()}, {"rules", rules_of(results)}};
  return sarif_document(std::move(driver), invocation(sources), std::move(results));
}

}  // namespace msci
