// Rules × source → findings.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/file_lookup.h"
#include "frontend/preamble/preamble_cache.h"
#include "lint/finding.h"
#include "lint/rule.h"
#include "lint/selection.h"
#include "lint/suppression.h"

namespace msci {

// A file that a source includes. Notes that lie in it have these lines: those of the source, and of
// one included file behind the other.
struct IncludedText {
  Source source;
  unsigned first_line = 0;
  unsigned last_line = 0;
};

// A range of a text.
struct Place {
  const Source& source;
  Range range;
};

// The result of linting one file.
struct Report {
  Source source;
  std::vector<IncludedText> included;  // that findings and their notes lie in
  bool compiled = false;
  std::vector<std::string> kernels;           // as the host calls them, in order of appearance
  std::vector<Finding> findings;              // by position
  std::vector<SuppressedFinding> suppressed;  // by comments in the source or an included file
  Contract contract;
  std::vector<FileLookup> lookups;    // files that the compiler looked for (guarded_files.h)
  std::optional<std::string> error;   // why msci could not check it to its end: a limit, a crash
  std::vector<std::string> warnings;  // of faults of msci that leave the findings as they are

  // The text that a finding's range lies in.
  const Source& source_of(const Finding& finding) const;
  // Where one of its notes lies.
  Place place_of(const Finding& finding, const Note& note) const;
  bool valid() const;  // no finding of severity error
};

// Findings on a parsed source, sorted by position: one for each cause at one place, without
// suppressed ones.
std::vector<Finding> lint(const Unit& unit, std::span<const ListedRule> rules,
                          const LintRequest& request);

// Receives the report so far, without the source, whenever there are new findings.
using OnProgress = std::function<void(const Report& so_far)>;

// Parses and lints a source; uses a preamble of the cache if one fits. Errors: msci itself failed;
// what is wrong with the source is in the report.
Result<Report> examine(Source source, std::span<const ListedRule> rules, const LintRequest& request,
                       PreambleCache* preamble_cache = nullptr,
                       const OnProgress& on_progress = nullptr);

}  // namespace msci
