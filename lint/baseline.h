// Known findings: --write-baseline writes those of a run to a file. A later run reports only the
// others (--baseline), or what has changed since (--compare-with).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lint/lint.h"

namespace msci {

// Identifies a finding independently of its line number, which edits above it change.
struct BaselineEntry {
  std::string file;  // absolute; relative to the baseline's folder in its file
  std::string rule;
  std::string message;
  std::string line;  // the text of its first line, trimmed
  auto operator<=>(const BaselineEntry&) const = default;
};

struct KnownFindings {
  Severity severity = Severity::warning;
  std::size_t count = 0;
  bool operator==(const KnownFindings&) const = default;
};

// A finding that several reports hold, because their sources include its file, counts once.
using Baseline = std::map<BaselineEntry, KnownFindings>;

Baseline baseline_of(const std::vector<FileReport>& reports);

// The file at `path`: JSON, sorted, one line for each entry, so that version control shows readable
// differences.
std::string to_json(const Baseline& baseline, const std::string& path);

// The baseline in the file at `path`. Errors: it cannot be read or is invalid.
Result<Baseline> read_baseline(const std::string& path);

// Removes known findings from the report; returns them. It leaves errors that Apple's compiler
// reports, too.
std::vector<Finding> remove_known(FileReport& report, const Baseline& baseline);

struct ComparedFinding {
  BaselineEntry entry;
  Severity severity = Severity::warning;
  Place place;  // with the name of its file as messages show it; an earlier finding has no range
};

struct Comparison {
  std::string path;  // of the earlier findings
  std::vector<ComparedFinding> added;
  std::vector<ComparedFinding> gone;
  std::vector<std::pair<ComparedFinding, ComparedFinding>> moved;  // from one file to another
  std::size_t same = 0;
};

// The findings that reports keep after a comparison.
enum class Keep { all, new_and_moved, only_new };

// Findings are the same if rule, file and message agree, wherever they stand in the file. They have
// moved if the file is gone and another one has them. Earlier findings in files that exist but were
// not linted now, or not to their end, are left out.
Comparison compare(const Baseline& earlier, std::vector<FileReport>& reports, Keep keep);

}  // namespace msci
