#include "lint/at_versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "compiler/frontend/preamble/prebuilt.h"
#include "lint/analysis/written_space.h"

namespace msci {
namespace {

// Examines as few versions as tell about all.
class Versions {
 public:
  Versions(std::span<const LanguageVersion> versions, const ExamineAt& examine)
      : versions_(versions), examine_(examine), reports_(versions.size()) {}

  std::optional<Error> run() {
    if (auto error = examine(versions_.size() - 1)) return error;
    if (auto error = examine(0)) return error;
    return fill(0, versions_.size() - 1);
  }

  const FileReport& at(std::size_t i) const { return reports_[i]->report; }

 private:
  std::optional<Error> examine(std::size_t i) {
    if (reports_[i]) return std::nullopt;
    auto report = examine_(versions_[i]);
    if (!report) return report.error();
    reports_[i] = *std::move(report);
    return std::nullopt;
  }

  bool report_alike(std::size_t first, std::size_t last) const {
    const auto& a = *reports_[first];
    const auto& b = *reports_[last];
    return !a.asks_version && !b.asks_version &&
           has_generic_space(versions_[first]) == has_generic_space(versions_[last]) &&
           a.report.compiled == b.report.compiled && a.report.findings == b.report.findings;
  }

  // The reports between two that are there.
  std::optional<Error> fill(std::size_t first, std::size_t last) {
    if (last - first < 2) return std::nullopt;
    if (report_alike(first, last)) {
      for (auto i = first + 1; i < last; ++i) reports_[i] = reports_[first];
      return std::nullopt;
    }
    const auto middle = last_before_generic_space(first, last).value_or(middle_of(first, last));
    if (auto error = examine(middle)) return error;
    if (auto error = fill(first, middle)) return error;
    return fill(middle, last);
  }

  // A version near the middle whose headers need not be read, which takes six times as long.
  std::size_t middle_of(std::size_t first, std::size_t last) const {
    const auto middle = (first + last) / 2;
    const auto is_fast = [&](std::size_t i) { return !prebuilt_headers(versions_[i]).empty(); };
    for (std::size_t away = 0; away < last - first; ++away) {
      if (middle + away < last && is_fast(middle + away)) return middle + away;
      if (middle > first + away && is_fast(middle - away)) return middle - away;
    }
    return middle;
  }

  // The versions on either side of this one are compared with each other only.
  std::optional<std::size_t> last_before_generic_space(std::size_t first, std::size_t last) const {
    for (auto i = first + 1; i < last; ++i)
      if (!has_generic_space(versions_[i]) && has_generic_space(versions_[i + 1])) return i;
    return std::nullopt;
  }

  std::span<const LanguageVersion> versions_;
  const ExamineAt& examine_;
  std::vector<std::optional<VersionReport>> reports_;  // by version
};

// What makes two findings of different versions the same.
using Cause = std::tuple<Place, std::string, std::string, Severity>;

Cause cause_of(const Finding& finding) {
  return {finding.place, finding.rule, finding.message, finding.severity};
}

// A suppression that one version does not need may serve another.
bool is_unused_everywhere(const Finding& finding, std::size_t versions) {
  return finding.rule != "lint.unused_suppression" || finding.versions.size() == versions;
}

void add_files(std::vector<Source>& files, const std::vector<Source>& more) {
  for (const auto& file : more)
    if (std::ranges::none_of(files, [&](const Source& each) { return each.name == file.name; }))
      files.push_back(file);
}

void add_lookups(std::vector<FileLookup>& lookups, const std::vector<FileLookup>& more) {
  for (const auto& lookup : more)
    if (std::ranges::find(lookups, lookup) == lookups.end()) lookups.push_back(lookup);
}

// Of each version, the kernels in which its proofs look for faults, and what they did not come to.
void add_unproved(std::optional<ProofCoverage>& all, const std::optional<ProofCoverage>& more) {
  if (!more) return;
  if (!all) all.emplace();
  for (const auto& name : more->kernels)
    if (std::ranges::find(all->kernels, name) == all->kernels.end()) all->kernels.push_back(name);
  if (all->off.empty()) all->off = more->off;
  for (const auto& each : more->unproved)
    if (std::ranges::find(all->unproved, each.kernel, &UnprovedKernel::kernel) ==
        all->unproved.end())
      all->unproved.push_back(each);
}

// Of neighbours in the list of all published versions, only the ends are named.
std::string runs_text(const std::vector<LanguageVersion>& at) {
  const auto all = language_versions();
  std::string text;
  for (auto first = at.begin(); first != at.end();) {
    auto known = std::ranges::find(all, *first);
    auto last = first;
    while (known != all.end() && ++known != all.end() && last + 1 != at.end() &&
           *(last + 1) == *known)
      ++last;
    text += (text.empty() ? "" : ", ") + spelling_of(*first);
    if (last != first) text += (last == first + 1 ? ", " : " to ") + spelling_of(*last);
    first = last + 1;
  }
  return text;
}

}  // namespace

Result<FileReport> examine_at_versions(std::span<const LanguageVersion> versions,
                                       const ExamineAt& examine) {
  Versions all(versions, examine);
  if (auto error = all.run()) return *error;
  std::map<Cause, Finding> findings;
  auto report = all.at(versions.size() - 1);
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const auto& one = all.at(i);
    report.compiled = report.compiled && one.compiled;
    add_files(report.included, one.included);
    add_lookups(report.lookups, one.lookups);
    add_unproved(report.proofs, one.proofs);
    report.line_directives.insert(one.line_directives.begin(), one.line_directives.end());
    for (const auto& finding : one.findings)
      findings.emplace(cause_of(finding), finding).first->second.versions.push_back(versions[i]);
  }
  report.findings.clear();
  for (auto& [cause, finding] : findings)
    if (is_unused_everywhere(finding, versions.size()))
      report.findings.push_back(std::move(finding));
  return report;
}

std::string versions_text(const Finding& finding) { return runs_text(finding.versions); }

std::string message_with_versions(const Finding& finding) {
  if (finding.versions.empty()) return finding.message;
  return fmt::format("{} (at {})", finding.message, versions_text(finding));
}

}  // namespace msci
