// Rules × source → findings.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "compiler/frontend/guarded_files.h"
#include "compiler/frontend/preamble/preamble_cache.h"
#include "lint/analysis/proof_coverage.h"
#include "lint/finding.h"
#include "lint/rule.h"
#include "lint/selection.h"

namespace msci {

// `#line`: what a source calls the lines behind it.
struct LineDirective {
  unsigned line = 0;    // where it stands
  unsigned number = 0;  // of the next line
  std::string file;     // the name that it gives, or the name before
};

// The directives of a source, by line.
std::vector<LineDirective> line_directives_in(const Source& source);

// The file and the lines that the last directive before a range of the source gives it (Clang's
// presumed location). Columns stay. Nothing without a directive before the range.
std::optional<Place> presumed(const std::vector<LineDirective>& directives, const Range& range);

// Comments that suppress findings: `// msci: allow(hazard.x) reason`, `allow-file(hazard.x)
// reason`, and `allow-begin(hazard.x) reason` up to `allow-end(hazard.x)`.

// One rule that a comment suppresses.
struct Suppression {
  std::string rule;
  std::string reason;
  unsigned first_line = 0;    // findings that begin on these lines are suppressed
  unsigned last_line = 0;     // inclusive
  Place place;                // of the rule's id in the comment
  bool in_condition = false;  // between #if and #endif: other builds may need it
  // Take this rule out of the comment, or out of both comments of a block, and with the last rule
  // the comment.
  std::vector<Edit> removal;
};

// The suppressions of a source, and the invalid ones as findings of lint.bad_suppression.
struct Suppressions {
  std::string file = {};  // as Place::file: findings in it are suppressed
  std::vector<Suppression> list;
  std::vector<Finding> bad;
};

// `allow` after code applies to its line, on its own line to the next line with code. `file` is
// that of the source's places: empty unless another source includes it.
Suppressions suppressions_in(const Source& source, std::span<const ListedRule> rules,
                             const std::string& file = {});

// A finding that a comment of the source suppresses.
struct SuppressedFinding {
  Finding finding;
  std::string reason;
  bool operator==(const SuppressedFinding&) const = default;
};

// Moves the suppressed findings out of `findings`; errors stay, since a source cannot suppress
// them. Adds findings on the suppressions themselves; on unused ones only if every rule has run
// (`complete`), and never inside a preprocessor condition.
std::vector<SuppressedFinding> take_suppressed(std::vector<Finding>& findings,
                                               const Suppressions& suppressions, bool complete);

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
