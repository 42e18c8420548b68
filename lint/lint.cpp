#include "lint/lint.h"

#include <clang/AST/ASTContext.h>
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace msci {
namespace {

// Where a finding goes that has no place of its own.
constexpr Range start_of_source{{1, 1}, {1, 1}};

// Keeps matchers and visitors to the user's declarations while it lives: they have nothing to find
// in the Metal headers, which are a hundred times larger.
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
  // Clang offers several edits of one place as alternatives rarely enough to take them as one fix.
  if (!diagnostic.edits.empty()) finding.fixes.push_back({diagnostic.edits, /*safe=*/false});
  return finding;
}

// The findings that one diagnostic of the compiler's comes to: one, or none where it is only a
// consequence of another, or a warning that no rule wants.
std::vector<Finding> adopted(const Unit& unit, const Diagnostic& diagnostic,
                             std::span<const ListedRule> rules) {
  for (const bool last : {false, true})
    for (const auto& each : rules) {
      if (!each.rule->adopt || each.rule->adopts_last != last) continue;
      auto finding = finding_from(diagnostic);
      const auto adoption = each.rule->adopt(unit, diagnostic, finding);
      if (adoption == Adoption::none) continue;
      if (adoption == Adoption::consequence) return {};
      finding.rule = each.id;
      return {std::move(finding)};
    }
  return {};
}

// The findings of all rules that are asked.
std::vector<Finding> found(const Unit& unit, std::span<const ListedRule> rules,
                           const Request& request, const Suppressions& suppressions) {
  const auto is_named = [&](const ListedRule& rule) {
    return std::any_of(suppressions.list.begin(), suppressions.list.end(),
                       [&](const Suppression& each) { return each.rule == rule.id; });
  };
  std::vector<Finding> findings;
  for (const auto& each : rules) {
    // Whether a suppression is of use shows only where its rule speaks.
    if (!each.rule->check || !(selected(each, request) || is_named(each))) continue;
    if (!unit.compiled() && !each.rule->checks_broken) continue;
    Reporter report(each.id, each.rule->severity, unit, request.expectation);
    each.rule->check(unit, report);
    append(findings, std::move(report).take());
  }
  for (const auto& diagnostic : unit.diagnostics())
    append(findings, adopted(unit, diagnostic, rules));
  return findings;
}

// Leaves what is wanted, as loud as it is wanted; what keeps a source from compiling is always.
void follow(const Request& request, std::span<const ListedRule> rules, Report& report,
            bool compiled) {
  const auto is_wanted = [&](const Finding& finding) {
    const auto* rule = find_rule(rules, finding.rule);
    return !rule || selected(*rule, request);
  };
  const auto is_fixed = [&](const Finding& finding) {
    return !compiled && finding.severity == Severity::error;
  };
  std::erase_if(report.allowed, [&](const Allowed& each) { return !is_wanted(each.finding); });
  std::erase_if(report.findings,
                [&](const Finding& each) { return !is_fixed(each) && !is_wanted(each); });
  for (auto& finding : report.findings)
    if (const auto* rule = find_rule(rules, finding.rule); rule && !is_fixed(finding))
      finding.severity = severity_of(finding.severity, *rule, request);
}

// Sorts, and leaves one finding for each cause at one place: instantiations of one template say the
// same again, and where the compiler and a rule both object, the rule knows better.
void sort_and_unite(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.file, a.range.begin, a.severity) <
           std::tie(b.file, b.range.begin, b.severity);
  });
  const auto same_cause = [](const Finding& a, const Finding& b) {
    if (a.file != b.file || a.range.begin != b.range.begin) return false;
    // Two faults of a host may well share a place.
    if (!a.file.empty()) return a.rule == b.rule && a.message == b.message;
    return a.rule == b.rule ? a.message == b.message
                            : a.severity == Severity::error && b.severity == Severity::error;
  };
  findings.erase(std::unique(findings.begin(), findings.end(), same_cause), findings.end());
}

// What is found, allowed, and wanted of it.
Report said(const Unit& unit, std::span<const ListedRule> rules, const Request& request) {
  const UserScope scope(unit);
  const auto suppressions = suppressions_in(unit.source(), rules);
  Report report{.findings = found(unit, rules, request, suppressions)};
  sort_and_unite(report.findings);
  report.allowed = take_allowed(report.findings, suppressions, unit.compiled());
  follow(request, rules, report, unit.compiled());
  sort_and_unite(report.findings);  // those on suppressions, and severities, are new
  return report;
}

}  // namespace

const Source& Report::source_of(const Finding& finding) const {
  if (finding.file.empty()) return source;
  const auto& files = expectation.host->files;
  return *std::find_if(files.begin(), files.end(),
                       [&](const Source& file) { return file.name == finding.file; });
}

bool Report::valid() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.severity == Severity::error; });
}

std::vector<Finding> lint(const Unit& unit, std::span<const ListedRule> rules,
                          const Request& request) {
  return said(unit, rules, request).findings;
}

Result<Report> examine(Source source, std::span<const ListedRule> rules, const Request& asked,
                       HeadStarts* head_starts) {
  auto request = asked;
  if (!asked.host.empty()) {
    auto host = read_host(asked.host);
    if (!asked.is_alone) host.libraries = std::max<std::size_t>(host.libraries, 2);
    request.expectation.host = std::make_shared<const Host>(std::move(host));
  }
  const auto preamble = preamble_of(source.text, request.version);
  auto start = head_starts ? head_starts->take(preamble) : begin(preamble, Headers::prebuilt);
  if (!start) return start.error();
  auto unit = parse(*std::move(start), std::move(source));
  auto report = said(unit, rules, request);
  report.source = unit.source();
  report.compiled = unit.compiled();
  report.expectation = request.expectation;
  for (const auto& kernel : unit.kernels()) report.kernels.push_back(kernel.name);
  if (head_starts) head_starts->keep(std::move(unit));
  return report;
}

Report refused(Source source, const Request& request, std::string_view reason) {
  Finding finding{.rule = "security.limit",
                  .severity = Severity::error,
                  .range = start_of_source,
                  .message = fmt::format("the compiler gave up on this source: {}", reason)};
  return {.source = std::move(source),
          .findings = {std::move(finding)},
          .expectation = request.expectation};
}

}  // namespace msci
