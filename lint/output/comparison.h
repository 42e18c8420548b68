// What has changed since an earlier run, whose --json output was kept.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lint/lint.h"

namespace msci {

// A finding as results name it.
struct KnownFinding {
  std::string rule;
  Severity severity = Severity::warning;
  std::string message;
  Place place;  // with the name of its file
  bool operator==(const KnownFinding&) const = default;
};

// The results of an earlier run.
struct EarlierResults {
  std::string path;
  std::vector<KnownFinding> findings;
};

struct Comparison {
  std::string path;  // of the earlier results
  std::vector<KnownFinding> added;
  std::vector<KnownFinding> gone;
  std::vector<std::pair<KnownFinding, KnownFinding>> moved;  // from one file to another
  std::size_t same = 0;
};

// Errors: the file cannot be read, or is not the output of msci-lint --json.
Result<EarlierResults> read_results(const std::string& path);

// The findings that reports keep after a comparison.
enum class Keep { all, new_and_moved, only_new };

// Findings are the same if rule, file and message agree, wherever they stand in the file. They have
// moved if the file is gone and another one has them. Earlier findings in files that exist but were
// not linted now, or not to their end, are left out.
Comparison compare(const EarlierResults& earlier, std::vector<FileReport>& reports, Keep keep);

}  // namespace msci
