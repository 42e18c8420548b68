// Checked runs as one SARIF 2.1.0 document, for code scanning.
#pragma once

#include <span>
#include <string>

#include "evaluator/check/check_result.h"

namespace msci {

// A result with the text of its kernel, in which SARIF counts columns by characters.
struct CheckedSource {
  CheckResult result;
  std::string text;
};

// The findings of lint and the faults, suppressed ones with their justification. The property
// `inRun` of a hazard says whether the run confirms it, as `in_run` does in JSON. A kernel that
// could not be run to its end is a notification.
std::string to_sarif(std::span<const CheckedSource> sources);

}  // namespace msci
