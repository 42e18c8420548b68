// The rules that the build found in this folder.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "lint/rule.h"

namespace msci {

// All rules, sorted by id.
std::span<const ListedRule> all_rules();

// Rules' pages as the build embeds them.
struct Page {
  std::string_view rule;  // "metal.restrict"
  std::string_view text;
};

extern const std::vector<Page> rule_pages;

}  // namespace msci
