// Known findings: a run with a baseline reports only new ones.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lint/lint.h"

namespace msci {

// Identifies a finding independently of its line number, which edits above it change.
struct BaselineEntry {
  std::string file;  // relative to the baseline's folder
  std::string rule;
  std::string message;
  std::string line;  // the text of its first line, trimmed
  auto operator<=>(const BaselineEntry&) const = default;
};

// The number of findings for each entry, in the report that has most of them: several reports hold
// the findings of a file that their sources include.
using Baseline = std::map<BaselineEntry, std::size_t>;

// The baseline of these reports. It never holds an error that Apple's compiler reports too.
Baseline baseline_of(const std::vector<FileReport>& reports, const std::string& path);

// JSON, sorted, one line for each entry, so that version control shows readable differences.
std::string to_json(const Baseline& baseline);

// The baseline in the file at `path`. Errors: it cannot be read or is invalid.
Result<Baseline> read_baseline(const std::string& path);

// The number of findings in it.
std::size_t size_of(const Baseline& baseline);

// Removes known findings from the report; returns them. `path` is the baseline's.
std::vector<Finding> remove_known(FileReport& report, const Baseline& baseline,
                                  const std::string& path);

}  // namespace msci
