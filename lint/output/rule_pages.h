// The pages of the rules for readers: --explain, --list-rules, SARIF's help, and the index in
// rules/README.md.
#pragma once

#include <span>
#include <string>

#include "lint/rule.h"

namespace msci {

// The page of a rule: its id, its severity, the text beside its code, how to suppress it.
std::string page_of(const ListedRule& rule);

// The rules, one on a line, each with its severity and the first sentence of its page.
std::string rule_list(std::span<const ListedRule> rules);

// Whether msci-lint can fix what a rule finds.
enum class FixAvailability { none, unsafe, safe };

// The best fix that the page shows: its `metal fixed` blocks are safe fixes, its `metal fixed
// unsafe` blocks are unsafe ones. A test compares both with the rule's findings.
FixAvailability fix_of(const ListedRule& rule);

// The index of all rules as Markdown, with links to their pages as seen from rules/.
std::string index_of(std::span<const ListedRule> rules);

}  // namespace msci
