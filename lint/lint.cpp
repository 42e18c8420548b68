#include "lint/lint.h"

#include <clang/AST/ASTContext.h>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <set>
#include <tuple>

#include "frontend/guarded_files.h"
#include "frontend/included_files.h"

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

// The compiler's errors and warnings, also in included files.
std::vector<Finding> findings_of_compiler(const Unit& unit, std::span<const ListedRule> rules) {
  std::vector<Finding> findings;
  for (const auto& diagnostic : unit.diagnostics())
    append(findings, findings_for(unit, diagnostic, rules));
  for (const auto& file : included_files(unit)) {
    const FileInFocus focus(unit, file);
    for (const auto& diagnostic : file.diagnostics)
      for (auto& finding : findings_for(unit, diagnostic, rules)) {
        finding.range = in_unit(file, finding.range);
        for (auto& note : finding.notes) note.range = in_unit(file, note.range);
        finding.fixes.clear();
        findings.push_back(std::move(finding));
      }
  }
  return findings;
}

// Gives a finding in an included file its place there. Only the source may be changed by a fix:
// other sources may include the same file.
void settle(const Unit& unit, Finding& finding) {
  if (!finding.file.empty()) return;  // in the host
  const auto [file, local] = local_place(unit, finding.range);
  if (file) {
    finding.file = file->source.name;
    finding.range = local;
  }
  std::erase_if(finding.fixes, [&, in_file = file](const Fix& fix) {
    return in_file || std::any_of(fix.edits.begin(), fix.edits.end(), [&](const Edit& edit) {
             return local_place(unit, edit.range).file;
           });
  });
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
  const auto apply_severity = [&](Finding& finding) {
    if (const auto* rule = find_rule(rules, finding.rule); rule && !is_fixed(finding))
      finding.severity = severity_of(finding.severity, *rule, request);
  };
  for (auto& finding : report.findings) apply_severity(finding);
  for (auto& each : report.suppressed) apply_severity(each.finding);
}

bool is_in_host(const Finding& finding, const Host* host) {
  return host && std::any_of(host->files.begin(), host->files.end(),
                             [&](const Source& file) { return file.name == finding.file; });
}

// Sorts, and keeps one finding for each cause at one place: instantiations of a template repeat a
// finding, and a rule's finding is better than the compiler's at the same place.
void sort_and_deduplicate(std::vector<Finding>& findings, const Host* host) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.file, a.range.begin, a.severity) <
           std::tie(b.file, b.range.begin, b.severity);
  });
  const auto same_cause = [&](const Finding& a, const Finding& b) {
    if (a.file != b.file || a.range.begin != b.range.begin) return false;
    // Two errors of a host can share a place.
    if (is_in_host(a, host)) return a.rule == b.rule && a.message == b.message;
    return a.rule == b.rule ? a.message == b.message
                            : a.severity == Severity::error && b.severity == Severity::error;
  };
  findings.erase(std::unique(findings.begin(), findings.end(), same_cause), findings.end());
}

// Makes the report on a unit, one rule after the other.
class Linter {
 public:
  Linter(const Unit& unit, std::span<const ListedRule> rules, const LintRequest& request)
      : unit_(unit), rules_(rules), request_(request) {}

  // `on_progress` may be null.
  Report run(const OnProgress& on_progress) {
    for (const auto& each : rules_) {
      if (on_progress) tell(on_progress);
      check(each);
    }
    return report(/*is_complete=*/true);
  }

  // On what the compiler has said, also of a source that it has not read to its end.
  Report of_compiler() const { return report(/*is_complete=*/false); }

 private:
  // Only the source's own unused suppressions show: other sources may need those of a file that
  // they include, too.
  Suppressions suppressions_of(const Source& included) const {
    auto suppressions = suppressions_in(included, rules_);
    suppressions.file = included.name;
    for (auto& bad : suppressions.bad) bad.file = included.name;
    return suppressions;
  }

  // The included files that a finding mentions.
  std::vector<IncludedText> mentioned_files(const Report& report) const {
    std::set<const IncludedFile*> mentioned;
    const auto mention = [&](const Finding& finding) {
      for (const auto& file : included_files(unit_))
        if (file.source.name == finding.file) mentioned.insert(&file);
      for (const auto& note : finding.notes) mentioned.insert(local_place(unit_, note.range).file);
    };
    for (const auto& finding : report.findings) mention(finding);
    for (const auto& each : report.suppressed) mention(each.finding);
    std::vector<IncludedText> texts;
    for (const auto& file : included_files(unit_))
      if (mentioned.contains(&file))
        texts.push_back({file.source, file.first_line, file.last_line()});
    return texts;
  }

  void tell(const OnProgress& on_progress) {
    const auto found = of_compiler_.size() + findings_.size();
    if (found != told_) on_progress(report(/*is_complete=*/false));
    told_ = found;
  }

  void check(const ListedRule& each) {
    // A rule that a suppression names always runs: only then an unused suppression shows.
    if (!each.rule->check || !(selected(each, request_) || is_named(each))) return;
    if (!unit_.compiled() && !each.rule->runs_on_broken_source) return;
    Reporter report(each.id, each.rule->severity, unit_, request_.contract);
    each.rule->check(unit_, report);
    append(findings_, std::move(report).take());
  }

  bool is_named(const ListedRule& rule) const {
    return std::any_of(suppressions_.list.begin(), suppressions_.list.end(),
                       [&](const Suppression& each) { return each.rule == rule.id; });
  }

  // On what was found until now, as requested.
  Report report(bool is_complete) const {
    Report report{.compiled = unit_.compiled(), .findings = findings_};
    append(report.findings, of_compiler_);
    for (auto& finding : report.findings) settle(unit_, finding);
    for (const auto& kernel : unit_.kernels()) report.kernels.push_back(kernel.name);
    const auto* host = request_.contract.host.get();
    sort_and_deduplicate(report.findings, host);
    report.suppressed =
        take_suppressed(report.findings, suppressions_, report.compiled && is_complete);
    for (const auto& file : included_files(unit_)) {
      auto more = take_suppressed(report.findings, suppressions_of(file.source), false);
      std::move(more.begin(), more.end(), std::back_inserter(report.suppressed));
    }
    apply_request(request_, rules_, report, report.compiled);
    sort_and_deduplicate(report.findings, host);  // suppressions and overrides changed the list
    report.included = mentioned_files(report);
    return report;
  }

  const Unit& unit_;
  std::span<const ListedRule> rules_;
  const LintRequest& request_;
  const UserScope scope_{unit_};
  const Suppressions suppressions_ = suppressions_in(unit_.source(), rules_);
  const std::vector<Finding> of_compiler_ = findings_of_compiler(unit_, rules_);
  std::vector<Finding> findings_;  // of rules
  std::size_t told_ = 0;
};

}  // namespace

const Source& Report::source_of(const Finding& finding) const {
  if (finding.file.empty()) return source;
  for (const auto& each : included)
    if (each.source.name == finding.file) return each.source;
  if (contract.host)
    for (const auto& each : contract.host->files)
      if (each.name == finding.file) return each;
  assert(false && "a finding lies in the source, in a file that it includes, or in the host");
  return source;
}

Place Report::place_of(const Finding& finding, const Note& note) const {
  if (is_in_host(finding, contract.host.get())) return {source_of(finding), note.range};
  auto range = note.range;
  for (const auto& each : included) {
    if (range.begin.line < each.first_line || each.last_line < range.begin.line) continue;
    range.begin.line -= each.first_line - 1;
    range.end.line -= each.first_line - 1;
    return {each.source, range};
  }
  return {source, range};
}

bool Report::valid() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.severity == Severity::error; });
}

std::vector<Finding> lint(const Unit& unit, std::span<const ListedRule> rules,
                          const LintRequest& request) {
  return Linter(unit, rules, request).run(nullptr).findings;
}

Result<Report> examine(Source source, std::span<const ListedRule> rules, const LintRequest& request,
                       PreambleCache* preamble_cache, const OnProgress& on_progress) {
  const auto preamble = preamble_of(source.text, request.compile);
  auto start = preamble_cache ? preamble_cache->take(preamble) : begin(preamble, Headers::prebuilt);
  if (!start) return start.error();
  const OnDiagnostics on_diagnostics = [&](const Unit& so_far) {
    on_progress(Linter(so_far, rules, request).of_compiler());
  };
  auto unit = parse(*std::move(start), std::move(source), request.compile,
                    on_progress ? on_diagnostics : nullptr);
  auto report = Linter(unit, rules, request).run(on_progress);
  report.source = unit.source();
  report.contract = request.contract;
  report.lookups = file_lookups(unit);
  if (preamble_cache) preamble_cache->keep(std::move(unit));
  return report;
}

}  // namespace msci
