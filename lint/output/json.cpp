#include "base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/files/install_paths.h"
#include "lint/output/formats.h"

namespace msci {
namespace {

OrderedJson range_json(const Range& range) {
  return {{"line", range.begin.line},
          {"column", range.begin.column},
          {"end_line", range.end.line},
          {"end_column", range.end.column}};
}

OrderedJson place_json(const FileReport& report, const Place& place) {
  const auto [file, range] = report.shown(place);
  OrderedJson json{{"file", file}};
  json.update(range_json(range));
  return json;
}

OrderedJson fix_json(const Fix& fix) {
  OrderedJson edits = OrderedJson::array();
  for (const auto& edit : fix.edits) {
    auto json = range_json(edit.place.range);
    json["replacement"] = edit.replacement;
    edits.push_back(std::move(json));
  }
  return {{"safe", fix.safe}, {"edits", std::move(edits)}};
}

OrderedJson finding_json(const FileReport& report, const Finding& finding, const RulePages& pages) {
  OrderedJson json{
      {"rule", finding.rule},
      {"url", pages.is_unknown() ? OrderedJson(nullptr) : OrderedJson(pages.url_of(finding.rule))},
      {"severity", to_string(finding.severity)}};
  json.update(place_json(report, finding.place));
  json["message"] = finding.message;
  for (const auto& version : finding.versions) json["versions"].push_back(spelling_of(version));
  json["notes"] = OrderedJson::array();
  for (const auto& note : finding.notes) {
    auto note_json = place_json(report, note.place);
    note_json["message"] = note.message;
    json["notes"].push_back(std::move(note_json));
  }
  json["fixes"] = OrderedJson::array();
  for (const auto& fix : report.shown_fixes(finding)) json["fixes"].push_back(fix_json(fix));
  return json;
}

// Whether an error of one of these rules or families was found.
bool has_error(const FileReport& report, std::initializer_list<std::string_view> names) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
    return finding.severity == Severity::error &&
           std::any_of(names.begin(), names.end(), [&](std::string_view name) {
             return finding.rule == name || finding.rule.starts_with(fmt::format("{}.", name));
           });
  });
}

// The first type of regression that holds; null without one, or where the grammar is broken
// and so nothing can be said.
OrderedJson regression_type(const FileReport& report) {
  std::optional<int> first;
  for (const auto& finding : report.findings) {
    if (finding.severity != Severity::error || !finding.rule.starts_with("degenerate.")) continue;
    const bool none =
        finding.rule == "degenerate.no_kernel" || finding.rule == "degenerate.missing_kernel";
    const int type = none ? 1 : finding.rule == "degenerate.undispatched_kernel" ? 2 : 3;
    first = std::min(first.value_or(type), type);
  }
  return first ? OrderedJson(*first) : OrderedJson(nullptr);
}

OrderedJson kernel_check(const FileReport& report) {
  // A kernel may be hidden behind what did not compile, or in a source that includes this one.
  OrderedJson passed = nullptr;
  if (report.compiled && (!report.kernels.empty() || regression_type(report) == 1))
    passed = regression_type(report) != 1;
  return {{"passed", std::move(passed)}, {"kernels", report.kernels}};
}

// Null where no host is given, or where it cannot be followed.
OrderedJson dispatch_check(const FileReport& report) {
  const auto& host = report.contract.host;
  OrderedJson passed = nullptr;
  std::set<std::string> called;
  if (host) {
    for (const auto& dispatch : host->dispatched)
      if (!dispatch.kernel.empty()) called.insert(dispatch.kernel);
    const bool failed = has_error(report, {"degenerate.undispatched_kernel"});
    const bool all_called =
        std::all_of(report.kernels.begin(), report.kernels.end(),
                    [&](const std::string& kernel) { return called.contains(kernel); });
    const bool known = all_called || (host->dispatches_known && host->names_known) || failed;
    if (report.compiled && known) passed = !failed;
  }
  return {{"passed", std::move(passed)}, {"called", called}};
}

OrderedJson fallback_check(const FileReport& report) {
  const auto& host = report.contract.host;
  OrderedJson passed = nullptr;
  OrderedJson violations = OrderedJson::array();
  for (const auto& finding : report.findings) {
    if (finding.rule != "degenerate.cpu_fallback") continue;
    const auto work =
        std::find_if(host->cpu_work.begin(), host->cpu_work.end(), [&](const CpuWork& each) {
          const auto [file, range] = host->place(each.range);
          return finding.place == Place{file->name, range};
        });
    violations.push_back({{"file", finding.place.file},
                          {"line", finding.place.range.begin.line},
                          {"call", work == host->cpu_work.end() ? "" : work->call},
                          {"reason", finding.message}});
  }
  if (host && report.compiled && (host->dispatches_known || !violations.empty()))
    passed = !has_error(report, {"degenerate.cpu_fallback"});
  return {{"passed", std::move(passed)}, {"violations", std::move(violations)}};
}

OrderedJson proofs_json(const ProofCoverage& proofs) {
  OrderedJson unproved = OrderedJson::array();
  for (const auto& [kernel, reason, detail] : proofs.unproved)
    unproved.push_back({{"kernel", kernel},
                        {"reason", reason},
                        {"detail", detail.empty() ? OrderedJson(nullptr) : OrderedJson(detail)}});
  return {{"kernels", proofs.kernels.size()},
          {"unproved", std::move(unproved)},
          {"off", proofs.off.empty() ? OrderedJson(nullptr) : OrderedJson(proofs.off)}};
}

// What to do first.
OrderedJson suggestion(const FileReport& report) {
  for (const auto& finding : report.findings) {
    if (finding.severity != Severity::error) continue;
    const auto [file, range] = report.shown(finding.place);
    const auto start = fmt::format("{}line {}: {}", file == report.source.name ? "" : file + " ",
                                   range.begin.line, finding.message);
    const auto fixes = report.shown_fixes(finding);
    if (fixes.empty()) return fmt::format("{} (see msci-lint --explain {})", start, finding.rule);
    std::vector<std::string> edits;
    for (const auto& edit : fixes.front().edits) edits.push_back(edit_text(edit, report.source));
    return fmt::format("{}; {}", start, fmt::join(edits, "; "));
  }
  return nullptr;
}

OrderedJson known_json(const ComparedFinding& finding) {
  OrderedJson json{{"rule", finding.entry.rule},
                   {"severity", to_string(finding.severity)},
                   {"file", finding.place.file}};
  if (finding.place.is_known()) json.update(range_json(finding.place.range));
  json["message"] = finding.entry.message;
  json["text"] = finding.entry.line;
  return json;
}

OrderedJson known_json(const std::vector<ComparedFinding>& findings) {
  auto list = OrderedJson::array();
  for (const auto& each : findings) list.push_back(known_json(each));
  return list;
}

OrderedJson comparison_json(const Comparison& comparison) {
  auto moved = OrderedJson::array();
  for (const auto& [from, to] : comparison.moved)
    moved.push_back({{"from", known_json(from)}, {"to", known_json(to)}});
  return {{"since", comparison.path},
          {"new", known_json(comparison.added)},
          {"gone", known_json(comparison.gone)},
          {"moved", std::move(moved)},
          {"same", comparison.same}};
}

}  // namespace

std::string to_json(const FileReport& report, const RulePages& rule_pages) {
  // After a limit or a crash of ours, a source without an error so far is neither valid nor
  // invalid.
  const auto valid_if = [&](bool valid) {
    return valid && report.error ? OrderedJson(nullptr) : OrderedJson(valid);
  };
  OrderedJson diagnostics = OrderedJson::array();
  for (const auto& finding : report.findings)
    diagnostics.push_back(finding_json(report, finding, rule_pages));
  const OrderedJson json{
      {"file", report.source.name},
      {"valid", valid_if(report.valid())},
      {"regression_type", regression_type(report)},
      {"checks",
       {{"kernel_exists", kernel_check(report)},
        {"kernel_dispatched", dispatch_check(report)},
        {"no_cpu_fallback", fallback_check(report)},
        {"metal_grammar",
         {{"passed", valid_if(!has_error(report, {"metal", "resource", "security"}))}}}}},
      {"diagnostics", std::move(diagnostics)},
      {"suggestion", suggestion(report)},
      {"proofs", report.proofs ? proofs_json(*report.proofs) : OrderedJson(nullptr)},
      {"error", report.error ? OrderedJson(*report.error) : OrderedJson(nullptr)},
      {"version", program_version()}};
  return to_line(json);
}

std::string to_json(const RunResult& run, const FormatContext& context) {
  std::string lines;
  for (const auto& report : run.reports) lines += to_json(report, context.rule_pages) + "\n";
  if (run.comparison) lines += to_line(comparison_json(*run.comparison)) + "\n";
  return lines;
}

}  // namespace msci
