// The pages of the rules as people read them: --explain, docs/rules, SARIF's help.
#pragma once

#include <map>
#include <span>
#include <string>

#include "lint/rule.h"

namespace msci {

// The page of a rule: its id, its severity, the text beside its code, how to silence it.
std::string page_of(const ListedRule& rule);

// File names and texts of docs/rules: one page a rule, and README.md, the list of all.
std::map<std::string, std::string> pages_of(std::span<const ListedRule> rules);

}  // namespace msci
