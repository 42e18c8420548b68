// One source to lint.
#pragma once

#include <optional>
#include <vector>

#include "lint/fix.h"
#include "lint/lint_and_fix.h"

namespace msci {

// A source, and how to lint it.
struct LintJob {
  Source source;
  LintRequest request;
  std::optional<FixRequest> fix;
  std::vector<Source> host;  // the files of a host that is still to be read for this job
};

}  // namespace msci
