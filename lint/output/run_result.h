// What a run of msci-lint found.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "lint/baseline.h"
#include "lint/finding.h"

namespace msci {

// Findings that several reports hold, because their sources include one file or have one host.

// Tells which findings of a run are new, so that what is for people has each once.
class SharedFindings {
 public:
  // Whether it lies in the source of its report, or no finding asked about before is the same.
  bool is_new(const Finding& finding);

 private:
  std::set<std::tuple<Place, std::string, std::string>> seen_;  // with rule and message
};

// The reports on some sources, in their order, and why other sources have none.
struct RunResult {
  std::vector<FileReport> reports;
  std::vector<Error> errors;
  std::optional<Comparison> comparison;  // with an earlier run
};

// Why sources could not be checked, or not to their end.
std::vector<Error> problems_of(const RunResult& run);

// Faults of msci that leave the findings as they are.
std::vector<std::string> warnings_of(const RunResult& run);

// The number of findings of each severity.
struct Counts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
  Counts& operator+=(Severity severity);
  bool operator==(const Counts&) const = default;
};
Counts counts_of(const FileReport& report);

// What a run has found.
struct Totals {
  Counts counts;  // findings that reports share count once
  std::size_t files = 0;
  std::size_t unfinished = 0;                  // files that were not checked to their end
  std::size_t kernels = 0;                     // in which proofs look for faults
  std::size_t unproved = 0;                    // of these: as UnprovedKernel
  std::map<std::string, std::size_t> reasons;  // why
  std::string proofs_off;                      // as ProofCoverage::off
  Totals& operator+=(const FileReport& report);

 private:
  SharedFindings shared_;
};
// After a comparison, new findings alone count.
Totals totals_of(const RunResult& run);

}  // namespace msci
