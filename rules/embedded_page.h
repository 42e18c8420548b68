// Rules' pages as the build embeds them.
#pragma once

#include <string_view>
#include <vector>

namespace msci {

struct Page {
  std::string_view rule;  // "metal.restrict"
  std::string_view text;
};

extern const std::vector<Page> rule_pages;

}  // namespace msci
