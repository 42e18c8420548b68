// Findings that were there before and are known: new ones stand out from them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lint/lint.h"

namespace msci {

// What tells a finding from another one, wherever edits above it move it.
struct Known {
  std::string file;  // relative to the baseline's folder
  std::string rule;
  std::string message;
  std::string line;  // the text of its first line, trimmed
  auto operator<=>(const Known&) const = default;
};

// How many of each there are.
using Baseline = std::map<Known, std::size_t>;

// The baseline of these reports. What Apple's compiler refuses is never in one.
Baseline baseline_of(const std::vector<Report>& reports, const std::string& path);

// JSON, sorted, one line a finding, so that versions of it compare well.
std::string to_json(const Baseline& baseline);

// The baseline in the file at `path`. Errors: it cannot be read, or is none.
Result<Baseline> read_baseline(const std::string& path);

// Takes the known findings out of the report, each as often as it is known; the rest is taken off
// the baseline. `path` is the baseline's.
void leave_out_known(Report& report, Baseline& baseline, const std::string& path);

}  // namespace msci
