// Rules × source → findings.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/finding.h"
#include "lint/metal/preamble/preamble_cache.h"
#include "lint/rule.h"
#include "lint/selection.h"
#include "lint/suppression.h"

namespace msci {

// The result of linting one file.
struct Report {
  Source source;
  std::vector<Source> included;  // files that findings lie in
  bool compiled = false;
  std::vector<std::string> kernels;           // as the host calls them, in order of appearance
  std::vector<Finding> findings;              // by position
  std::vector<SuppressedFinding> suppressed;  // by comments in the source
  Contract contract;

  // The text that a finding's range lies in.
  const Source& source_of(const Finding& finding) const;
  bool valid() const;  // no finding of severity error
};

// Findings on a parsed source, sorted by position: one for each cause at one place, without
// suppressed ones.
std::vector<Finding> lint(const Unit& unit, std::span<const ListedRule> rules,
                          const LintRequest& request);

// Parses and lints a source; uses a preamble of the cache if one fits. Errors: msci itself failed;
// what is wrong with the source is in the report.
Result<Report> examine(Source source, std::span<const ListedRule> rules, const LintRequest& request,
                       PreambleCache* preamble_cache = nullptr);

// The report on a source that made the compiler crash or exceed a limit of its process.
Report refused(Source source, const LintRequest& request, std::string_view reason);

}  // namespace msci
