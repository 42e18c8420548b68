// Lints a source, and applies fixes until none is left.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lint/fix.h"
#include "lint/lint.h"

namespace msci {

// What lint says about a source, and about the same source after its fixes.
struct LintResult {
  FileReport report;
  std::optional<FileReport> fixed;  // if fixes were applied; its source holds the new text
  std::vector<std::string> fixes;   // the rule of each that was applied
};

// Takes the findings that are known (baseline.h) out of a report.
using HideKnown = std::function<void(FileReport& report)>;

// Which findings to fix.
struct FixRequest {
  Fixes which = Fixes::safe;
  HideKnown hide_known = {};  // known findings stay as they are; null: none is known
};

// Applies fixes in rounds, since one fix can reveal the next finding. A round whose result no
// longer compiles is dropped, and the report warns of it. `on_progress` is told of the report
// before the fixes. Errors: msci itself failed.
Result<LintResult> lint_and_fix(const Source& source, std::span<const ListedRule> rules,
                                const LintRequest& request, const FixRequest& fix,
                                PreambleCache* preamble_cache = nullptr,
                                const OnProgress& on_progress = nullptr);

}  // namespace msci
