// Rules × source → findings.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/file_lookup.h"
#include "compiler/frontend/preamble/preamble_cache.h"
#include "lint/analysis/proof_coverage.h"
#include "lint/finding.h"
#include "lint/line_directives.h"
#include "lint/rule.h"
#include "lint/selection.h"
#include "lint/suppression.h"

namespace msci {

// The result of linting one file.
struct FileReport {
  Source source;
  std::vector<Source> included;  // the included files that findings and their notes lie in
  bool compiled = false;
  std::vector<std::string> kernels;           // as the host calls them, in order of appearance
  std::vector<Finding> findings;              // by position
  std::vector<SuppressedFinding> suppressed;  // by comments in the source or an included file
  Contract contract;
  std::optional<ProofCoverage> proofs = {};  // nothing where no rule asked for proofs
  std::vector<FileLookup> lookups;           // files that the compiler looked for (guarded_files.h)
  std::optional<std::string> error;   // why msci could not check it to its end: a limit, a crash
  std::vector<std::string> warnings;  // of faults of msci that leave the findings as they are
  // Of the source and the included files, by Place::file.
  std::map<std::string, std::vector<LineDirective>> line_directives;

  // The text that a place of a finding, a note or an edit lies in.
  const Source& source_of(const Place& place) const;
  // What outputs call a place: its file by name, and its lines as `#line` directives number them.
  Place shown(const Place& place) const;
  // The fixes that outputs show: none behind a directive, since they change the text as it stands.
  std::span<const Fix> shown_fixes(const Finding& finding) const;
  bool valid() const;  // no finding of severity error
};

// Findings on a parsed source, sorted by position: one for each cause at one place, without
// suppressed ones.
std::vector<Finding> lint(const Unit& unit, std::span<const ListedRule> rules,
                          const LintRequest& request);

// Receives the report so far, without the source, whenever there are new findings.
using OnProgress = std::function<void(const FileReport& so_far)>;

// Parses and lints a source; uses a preamble of the cache if one fits. Errors: msci itself failed;
// what is wrong with the source is in the report.
Result<FileReport> examine(Source source, std::span<const ListedRule> rules,
                           const LintRequest& request, PreambleCache* preamble_cache = nullptr,
                           const OnProgress& on_progress = nullptr);

}  // namespace msci
