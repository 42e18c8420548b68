// All rules on one HTML page: msci-lint --gallery.
#pragma once

#include <span>
#include <string>

#include "lint/rule.h"

namespace msci {

// A page that loads nothing and has no script: for each rule what it finds and why, sources that it
// flags with the finding below its line, what its fixes make of them, and sources that it leaves
// alone. All of it comes from the rules' pages, whose examples are tests.
std::string rule_gallery(std::span<const ListedRule> rules);

}  // namespace msci
