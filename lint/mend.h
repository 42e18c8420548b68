// Lints a source, and mends it until nothing more can be mended.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "lint/fix.h"
#include "lint/lint.h"

namespace msci {

// What lint says about a source, and about the same source after its fixes.
struct Examination {
  Report report;
  std::optional<Report> mended;  // where something was mended; its source holds the new text
  std::size_t fixes = 0;
};

// Fixes are carried out in rounds, since one may open the view on the next. One that would keep a
// source from compiling is not. Errors are ours alone.
Result<Examination> examine_and_mend(const Source& source, std::span<const ListedRule> rules,
                                     const Request& request, Fixes which,
                                     HeadStarts* head_starts = nullptr);

}  // namespace msci
