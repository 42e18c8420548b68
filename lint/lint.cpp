#include "lint/lint.h"

#include <clang/AST/ASTContext.h>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <set>
#include <tuple>

#include "compiler/frontend/guarded_files.h"
#include "lint/analysis/flow/thread_flow.h"
#include "lint/analysis/representatives.h"
#include "lint/at_versions.h"

namespace msci {
namespace {

// While it lives, matchers and visitors see only the user's declarations: the Metal headers, which
// are a hundred times larger, have no findings.
class TraversalScopeGuard {
 public:
  explicit TraversalScopeGuard(const Unit& unit) : ast_(unit.ast()) {
    std::vector<clang::Decl*> declarations;
    for (auto* declaration : ast_.getTranslationUnitDecl()->noload_decls())
      if (unit.is_users(declaration->getLocation())) declarations.push_back(declaration);
    ast_.setTraversalScope(declarations);
  }
  ~TraversalScopeGuard() { ast_.setTraversalScope({ast_.getTranslationUnitDecl()}); }
  TraversalScopeGuard(const TraversalScopeGuard&) = delete;
  TraversalScopeGuard& operator=(const TraversalScopeGuard&) = delete;

 private:
  clang::ASTContext& ast_;
};

void move_to_end(std::vector<Finding>& findings, std::vector<Finding> more) {
  findings.insert(findings.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

Finding finding_from(const Diagnostic& diagnostic) {
  Finding finding{.severity = diagnostic.severity,
                  .place = diagnostic.place,
                  .message = diagnostic.message,
                  .notes = diagnostic.notes};
  if (!finding.place.is_known()) finding.place = {"", {{1, 1}, {1, 1}}};
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

// The compiler's errors and warnings.
std::vector<Finding> findings_of_compiler(const Unit& unit, std::span<const ListedRule> rules) {
  std::vector<Finding> findings;
  for (const auto& diagnostic : unit.diagnostics())
    move_to_end(findings, findings_for(unit, diagnostic, rules));
  return findings;
}

// Only the source may be changed by a fix: other sources may include the same file.
void keep_fixes_of_source(Finding& finding) {
  std::erase_if(finding.fixes, [&](const Fix& fix) {
    return !finding.place.file.empty() ||
           std::any_of(fix.edits.begin(), fix.edits.end(),
                       [](const Edit& edit) { return !edit.place.file.empty(); });
  });
}

// Drops findings of rules that are not selected, and applies the requested severities. Errors that
// keep a source from compiling stay.
void apply_request(const LintRequest& request, std::span<const ListedRule> rules,
                   FileReport& report, bool compiled) {
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
                             [&](const Source& file) { return file.name == finding.place.file; });
}

// Sorts, and keeps one finding for each cause at one place: instantiations of a template repeat a
// finding, and a rule's finding is better than the compiler's at the same place.
void sort_and_deduplicate(std::vector<Finding>& findings, const Host* host) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.place.file, a.place.range.begin, a.severity) <
           std::tie(b.place.file, b.place.range.begin, b.severity);
  });
  const auto same_cause = [&](const Finding& a, const Finding& b) {
    if (a.place.file != b.place.file || a.place.range.begin != b.place.range.begin) return false;
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
  FileReport run(const OnProgress& on_progress) {
    for (const auto& each : rules_) {
      if (on_progress) tell(on_progress);
      check(each);
    }
    return report(/*is_complete=*/true);
  }

  // On what the compiler has said, also of a source that it has not read to its end.
  FileReport of_compiler() const { return report(/*is_complete=*/false); }

 private:
  // The included files that a finding mentions.
  std::vector<Source> mentioned_files(const FileReport& report) const {
    std::set<std::string_view> mentioned;
    const auto mention = [&](const Finding& finding) {
      mentioned.insert(finding.place.file);
      for (const auto& note : finding.notes) mentioned.insert(note.place.file);
    };
    for (const auto& finding : report.findings) mention(finding);
    for (const auto& each : report.suppressed) mention(each.finding);
    std::vector<Source> files;
    for (const auto* file : unit_.included_files())
      if (mentioned.contains(file->name)) files.push_back(*file);
    return files;
  }

  void tell(const OnProgress& on_progress) {
    const auto found = of_compiler_.size() + findings_.size();
    if (found != told_) on_progress(report(/*is_complete=*/false));
    told_ = found;
  }

  void check(const ListedRule& each) {
    // A rule that a suppression names always runs: only then an unused suppression shows.
    if (!each.rule->inspects_ast() || !(selected(each, request_) || is_named(each))) return;
    if (!unit_.compiled() && !each.rule->runs_on_broken_source) return;
    Reporter report(each.id, each.rule->severity, unit_, request_.contract,
                    request_.find_resources);
    run_checks(*each.rule, report);
    move_to_end(findings_, std::move(report).take());
  }

  void run_checks(const Rule& rule, Reporter& report) const {
    if (rule.check) rule.check(unit_, report);
    if (!unit_.compiled()) return;
    if (rule.check_kernel || rule.check_flow)
      for (const auto& [name, kernel] : representative_kernels(unit_)) {
        if (rule.check_kernel) rule.check_kernel(*kernel, unit_, report);
        const auto* flow = rule.check_flow ? thread_flow(*kernel, unit_) : nullptr;
        if (flow) rule.check_flow(*flow, report);
      }
    if (rule.check_cooperative_flow)
      for (const auto& flow : cooperative_flows(unit_)) rule.check_cooperative_flow(flow, report);
  }

  // The proofs in a task's launches are about all of its kernels.
  void add(const TaskProofStop& stop, FileReport& report) const {
    if (stop.reason.empty()) return;
    auto& [kernels, unproved, off] = report.proofs ? *report.proofs : report.proofs.emplace();
    for (const auto& name : report.kernels) {
      if (!request_.contract.has_kernel(name)) continue;
      if (std::ranges::find(kernels, name) == kernels.end()) kernels.push_back(name);
      if (std::ranges::find(unproved, name, &UnprovedKernel::kernel) == unproved.end())
        unproved.push_back({name, stop.reason, stop.detail});
    }
  }

  bool is_named(const ListedRule& rule) const {
    return std::any_of(suppressions_.list.begin(), suppressions_.list.end(),
                       [&](const Suppression& each) { return each.rule == rule.id; });
  }

  // On what was found until now, as requested.
  FileReport report(bool is_complete) const {
    FileReport report{.compiled = unit_.compiled(), .findings = findings_};
    move_to_end(report.findings, of_compiler_);
    for (auto& finding : report.findings) keep_fixes_of_source(finding);
    for (const auto& kernel : unit_.kernels()) report.kernels.push_back(kernel.name);
    if (const auto* proofs = unit_.cache().find<ProofCoverage>(&unit_)) report.proofs = *proofs;
    if (const auto* stop = unit_.cache().find<TaskProofStop>(&unit_)) add(*stop, report);
    const auto* host = request_.contract.host.get();
    sort_and_deduplicate(report.findings, host);
    report.suppressed =
        take_suppressed(report.findings, suppressions_, report.compiled && is_complete);
    // Only the source's own unused suppressions show: other sources may need those of a file that
    // they include, too.
    for (const auto* file : unit_.included_files()) {
      auto more =
          take_suppressed(report.findings, suppressions_in(*file, rules_, file->name), false);
      std::move(more.begin(), more.end(), std::back_inserter(report.suppressed));
    }
    apply_request(request_, rules_, report, report.compiled);
    sort_and_deduplicate(report.findings, host);  // suppressions and overrides changed the list
    report.included = mentioned_files(report);
    if (!directives_.empty()) report.line_directives.emplace("", directives_);
    for (const auto& file : report.included)
      if (auto directives = line_directives_in(file); !directives.empty())
        report.line_directives.emplace(file.name, std::move(directives));
    return report;
  }

  const Unit& unit_;
  std::span<const ListedRule> rules_;
  const LintRequest& request_;
  const TraversalScopeGuard scope_{unit_};
  const Suppressions suppressions_ = suppressions_in(unit_.source(), rules_);
  const std::vector<LineDirective> directives_ = line_directives_in(unit_.source());
  const std::vector<Finding> of_compiler_ = findings_of_compiler(unit_, rules_);
  std::vector<Finding> findings_;  // of rules
  std::size_t told_ = 0;
};

}  // namespace

const Source& FileReport::source_of(const Place& place) const {
  if (place.file.empty()) return source;
  for (const auto& each : included)
    if (each.name == place.file) return each;
  if (contract.host)
    for (const auto& each : contract.host->files)
      if (each.name == place.file) return each;
  assert(false && "a finding lies in the source, in a file that it includes, or in the host");
  return source;
}

namespace {

std::optional<Place> presumed_in(const FileReport& report, const Place& place) {
  const auto found = report.line_directives.find(place.file);
  if (found == report.line_directives.end()) return std::nullopt;
  return presumed(found->second, place.range);
}

}  // namespace

Place FileReport::shown(const Place& place) const {
  if (auto presumed = presumed_in(*this, place)) return *std::move(presumed);
  return {source_of(place).name, place.range};
}

std::span<const Fix> FileReport::shown_fixes(const Finding& finding) const {
  if (presumed_in(*this, finding.place)) return {};
  return finding.fixes;
}

bool FileReport::valid() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.severity == Severity::error; });
}

std::vector<Finding> lint(const Unit& unit, std::span<const ListedRule> rules,
                          const LintRequest& request) {
  return Linter(unit, rules, request).run(nullptr).findings;
}

namespace {

bool asks_version(const Unit& unit) {
  const auto names_it = [](const Source& source) {
    return source.text.find("__METAL_VERSION__") != std::string::npos;
  };
  const auto files = unit.included_files();
  return names_it(unit.source()) ||
         std::any_of(files.begin(), files.end(),
                     [&](const Source* each) { return names_it(*each); });
}

Result<VersionReport> examine_once(Source source, std::span<const ListedRule> rules,
                                   const LintRequest& request, PreambleCache* preamble_cache,
                                   const OnProgress& on_progress) {
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
  const bool asks = asks_version(unit);
  if (preamble_cache) preamble_cache->keep(std::move(unit));
  return VersionReport{std::move(report), asks};
}

}  // namespace

Result<FileReport> examine(Source source, std::span<const ListedRule> rules,
                           const LintRequest& request, PreambleCache* preamble_cache,
                           const OnProgress& on_progress) {
  if (request.versions.size() < 2) {
    auto one = examine_once(std::move(source), rules, request, preamble_cache, on_progress);
    if (!one) return one.error();
    return std::move(one->report);
  }
  // Progress would lack the versions of a finding, and the cache keeps a preamble of one version.
  return examine_at_versions(request.versions, [&](LanguageVersion version) {
    auto at = request;
    at.compile.version = version;
    return examine_once(source, rules, at, nullptr, nullptr);
  });
}

}  // namespace msci
