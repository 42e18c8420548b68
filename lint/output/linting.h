// What a run of msci-lint found.
#pragma once

#include <string>
#include <vector>

#include "lint/lint.h"

namespace msci {

// The reports on some sources, in their order, and why other sources have none.
struct Linting {
  std::vector<Report> reports;
  std::vector<Error> errors;
};

// Why sources could not be checked, or not to their end.
std::vector<Error> problems_of(const Linting& linting);

// Faults of msci that leave the findings as they are.
std::vector<std::string> warnings_of(const Linting& linting);

// The number of findings of each severity.
struct Counts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
  Counts& operator+=(const Counts& other);
  bool operator==(const Counts&) const = default;
};
Counts counts_of(const Report& report);

// What a run has found.
struct Totals {
  Counts counts;
  std::size_t files = 0;
  std::size_t unfinished = 0;  // files that were not checked to their end
  Totals& operator+=(const Report& report);
};
Totals totals_of(const Linting& linting);

}  // namespace msci
