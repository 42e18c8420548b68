#include "lint/lint.h"

#include <clang/AST/ASTContext.h>
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace msci {
namespace {

// The place of a finding that has none of its own.
constexpr Range start_of_source{{1, 1}, {1, 1}};

// While it lives, matchers and visitors see only the user's declarations: the Metal headers, which
// are a hundred times larger, have no findings.
class UserScope {
 public:
  explicit UserScope(const Unit& unit) : ast_(unit.ast()) {
    std::vector<clang::Decl*> declarations;
    for (auto* declaration : ast_.getTranslationUnitDecl()->noload_decls())
      if (unit.is_users(declaration->getLocation())) declarations.push_back(declaration);
    ast_.setTraversalScope(declarations);
  }
  ~UserScope() { ast_.setTraversalScope({ast_.getTranslationUnitDecl()}); }
  UserScope(const UserScope&) = delete;
  UserScope& operator=(const UserScope&) = delete;

 private:
  clang::ASTContext& ast_;
};

void append(std::vector<Finding>& findings, std::vector<Finding> more) {
  findings.insert(findings.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

Finding finding_from(const Diagnostic& diagnostic) {
  Finding finding{.severity = diagnostic.severity,
                  .range = diagnostic.range,
                  .message = diagnostic.message,
                  .notes = diagnostic.notes};
  if (finding.range.begin.line == 0) finding.range = start_of_source;
  // Clang rarely offers alternative edits for one place, so all edits count as one fix.
  if (!diagnostic.edits.empty()) finding.fixes.push_back({diagnostic.edits, /*safe=*/false});
  return finding;
}

// The findings for one diagnostic of the compiler: one, or none if it is a mere consequence of
// another, or a warning that no rule matches.
std::vector<Finding> findings_for(const Unit& unit, const Diagnostic& diagnostic,
                                  std::span<const ListedRule> rules) {
  for (const bool last : {false, true})
    for (const auto& each : rules) {
      if (!each.rule->match_diagnostic || each.rule->matches_last != last) continue;
      auto finding = finding_from(diagnostic);
      const auto match = each.rule->match_diagnostic(unit, diagnostic, finding);
      if (match == DiagnosticMatch::none) continue;
      if (match == DiagnosticMatch::consequence) return {};
      finding.rule = each.id;
      return {std::move(finding)};
    }
  return {};
}

// The findings of the selected rules.
std::vector<Finding> run_rules(const Unit& unit, std::span<const ListedRule> rules,
                               const LintRequest& request, const Suppressions& suppressions) {
  const auto is_named = [&](const ListedRule& rule) {
    return std::any_of(suppressions.list.begin(), suppressions.list.end(),
                       [&](const Suppression& each) { return each.rule == rule.id; });
  };
  std::vector<Finding> findings;
  for (const auto& each : rules) {
    // A rule that a suppression names always runs: only then an unused suppression shows.
    if (!each.rule->check || !(selected(each, request) || is_named(each))) continue;
    if (!unit.compiled() && !each.rule->runs_on_broken_source) continue;
    Reporter report(each.id, each.rule->severity, unit, request.contract);
    each.rule->check(unit, report);
    append(findings, std::move(report).take());
  }
  for (const auto& diagnostic : unit.diagnostics())
    append(findings, findings_for(unit, diagnostic, rules));
  return findings;
}

// The compiler's errors and warnings in included files, each at its place there.
std::vector<Finding> findings_in_included(const Unit& unit, std::span<const ListedRule> rules) {
  std::vector<Finding> findings;
  for (const auto& file : included_files(unit))
    for (const auto& diagnostic : file.diagnostics)
      for (auto& finding : findings_for(unit, diagnostic, rules)) {
        finding.file = file.source.name;
        finding.fixes.clear();  // rules compute fixes from the source, not from what it includes
        findings.push_back(std::move(finding));
      }
  return findings;
}

// Drops findings of rules that are not selected, and applies the requested severities. Errors that
// keep a source from compiling stay.
void apply_request(const LintRequest& request, std::span<const ListedRule> rules, Report& report,
                   bool compiled) {
  const auto is_wanted = [&](const Finding& finding) {
    const auto* rule = find_rule(rules, finding.rule);
    return !rule || selected(*rule, request);
  };
  const auto is_fixed = [&](const Finding& finding) {
    return !compiled && finding.severity == Severity::error;
  };
  std::erase_if(report.suppressed,
                [&](const SuppressedFinding& each) { return !is_wanted(each.finding); });
  std::erase_if(report.findings,
                [&](const Finding& each) { return !is_fixed(each) && !is_wanted(each); });
  for (auto& finding : report.findings)
    if (const auto* rule = find_rule(rules, finding.rule); rule && !is_fixed(finding))
      finding.severity = severity_of(finding.severity, *rule, request);
}

// Sorts, and keeps one finding for each cause at one place: instantiations of a template repeat a
// finding, and a rule's finding is better than the compiler's at the same place.
void sort_and_deduplicate(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.file, a.range.begin, a.severity) <
           std::tie(b.file, b.range.begin, b.severity);
  });
  const auto same_cause = [](const Finding& a, const Finding& b) {
    if (a.file != b.file || a.range.begin != b.range.begin) return false;
    // Two errors of a host can share a place.
    if (!a.file.empty()) return a.rule == b.rule && a.message == b.message;
    return a.rule == b.rule ? a.message == b.message
                            : a.severity == Severity::error && b.severity == Severity::error;
  };
  findings.erase(std::unique(findings.begin(), findings.end(), same_cause), findings.end());
}

// The findings and suppressed findings of a unit, as requested.
Report report_on(const Unit& unit, std::span<const ListedRule> rules, const LintRequest& request) {
  const UserScope scope(unit);
  const auto suppressions = suppressions_in(unit.source(), rules);
  Report report{.findings = run_rules(unit, rules, request, suppressions)};
  append(report.findings, findings_in_included(unit, rules));
  for (const auto& file : included_files(unit)) report.included.push_back(file.source);
  sort_and_deduplicate(report.findings);
  report.suppressed = take_suppressed(report.findings, suppressions, unit.compiled());
  apply_request(request, rules, report, unit.compiled());
  sort_and_deduplicate(report.findings);  // suppressions and overrides changed the list
  return report;
}

}  // namespace

const Source& Report::source_of(const Finding& finding) const {
  if (finding.file.empty()) return source;
  for (const auto& file : included)
    if (file.name == finding.file) return file;
  const auto& files = contract.host->files;
  return *std::find_if(files.begin(), files.end(),
                       [&](const Source& file) { return file.name == finding.file; });
}

bool Report::valid() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.severity == Severity::error; });
}

std::vector<Finding> lint(const Unit& unit, std::span<const ListedRule> rules,
                          const LintRequest& request) {
  return report_on(unit, rules, request).findings;
}

Result<Report> examine(Source source, std::span<const ListedRule> rules, const LintRequest& request,
                       PreambleCache* preamble_cache) {
  auto compile = request.compile;
  compile.version = request.version;
  const auto preamble = preamble_of(source.text, compile);
  auto start = preamble_cache ? preamble_cache->take(preamble) : begin(preamble, Headers::prebuilt);
  if (!start) return start.error();
  auto unit = parse(*std::move(start), std::move(source), compile);
  auto report = report_on(unit, rules, request);
  report.source = unit.source();
  report.compiled = unit.compiled();
  report.contract = request.contract;
  for (const auto& kernel : unit.kernels()) report.kernels.push_back(kernel.name);
  if (preamble_cache) preamble_cache->keep(std::move(unit));
  return report;
}

Report refused(Source source, const LintRequest& request, std::string_view reason) {
  Finding finding{.rule = "security.limit",
                  .severity = Severity::error,
                  .range = start_of_source,
                  .message = fmt::format("the compiler gave up on this source: {}", reason)};
  return {
      .source = std::move(source), .findings = {std::move(finding)}, .contract = request.contract};
}

}  // namespace msci
