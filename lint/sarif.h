// Reports as SARIF 2.1.0, the format of code scanning services.
#pragma once

#include <span>
#include <string>

#include "lint/format.h"

namespace msci {

// One run, with the rules that have something to say and their pages. Findings that a comment
// allows are results with a suppression; columns count characters.
std::string to_sarif(const Linting& linting, std::span<const ListedRule> rules);

}  // namespace msci
