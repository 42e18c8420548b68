#include "rules/rules.h"

#include <algorithm>

namespace msci {

#define MSCI_RULE(family, stem) extern const Rule stem;
#include "rules/list.def"
#undef MSCI_RULE

namespace {

std::vector<ListedRule> with_pages() {
  std::vector<ListedRule> rules{
#define MSCI_RULE(family, stem) {.id = #family "." #stem, .rule = &stem},
#include "rules/list.def"
#undef MSCI_RULE
  };
  std::sort(rules.begin(), rules.end(),
            [](const ListedRule& a, const ListedRule& b) { return a.id < b.id; });
  for (auto& rule : rules)
    for (const auto& page : rule_pages)
      if (page.rule == rule.id) rule.page = page.text;
  return rules;
}

}  // namespace

std::span<const ListedRule> all_rules() {
  static const auto rules = with_pages();
  return rules;
}

}  // namespace msci
