// Lints the Metal sources in the strings of a host.
#pragma once

#include <optional>
#include <span>

#include "lint/lint_and_fix.h"

namespace msci {

// Whether the source is to be read as a host with Metal in its strings: some of its strings are
// Metal, or its language allows nothing else.
bool is_host_of_strings(const Source& source);

// One report for all of them, with the places and the text of the host. Fixes change the inside of
// raw strings alone. A string whose whole text is not known here gets a note of
// lint.partial_source, and no errors. Errors: no string is Metal; msci itself failed.
Result<LintResult> lint_embedded(const Source& host, std::span<const ListedRule> rules,
                                 const LintRequest& request, const std::optional<FixRequest>& fix,
                                 PreambleCache* preamble_cache = nullptr,
                                 const OnProgress& on_progress = nullptr);

}  // namespace msci
