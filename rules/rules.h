// The rules that the build found in this folder.
#pragma once

#include <span>

#include "lint/rule.h"

namespace msci {

// All rules, sorted by id.
std::span<const ListedRule> all_rules();

}  // namespace msci
