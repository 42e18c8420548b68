// Which rules speak, and how loudly.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/finding.h"
#include "lint/rule.h"

namespace msci {

// "error", "warning", "note".
std::string_view name_of(Severity severity);

// A severity in place of the rule's own; none: the rule is off.
struct Override {
  std::string rules;  // an id ("hazard.barrier_in_branch") or a family ("hazard", "hazard.")
  std::optional<Severity> severity;
  bool operator==(const Override&) const = default;
};

// "hazard=note", "slow.=off" → the override. Errors: another form, another severity.
Result<Override> override_from(std::string_view text);

// What is wanted of the rules, and what they may know. Words are ids or families, as in Override;
// where several fit a rule, an id counts for more than a family.
struct Request {
  LanguageVersion version;
  Expectation expectation;
  std::vector<Source> host;         // its files, if any; what it does is added to the expectation
  bool is_alone = true;             // no other source has kernels for that host
  std::vector<std::string> select;  // empty: all
  std::vector<std::string> ignore;  // taken away from those
  std::vector<Override> overrides;  // of equal weight, the last one holds
};

// Whether the request wants this rule to speak. What keeps a source from compiling is said whatever
// was selected.
bool selected(const ListedRule& rule, const Request& request);

// What a finding of this rule counts as that has a severity of its own. The rule is not off.
Severity severity_of(Severity own, const ListedRule& rule, const Request& request);

// Errors: a word that fits no rule (names the nearest that does).
Result<Request> checked(Request request, std::span<const ListedRule> rules);

// The rule of this id, or null.
const ListedRule* find_rule(std::span<const ListedRule> rules, std::string_view id);

// The rules of this family ("hazard", "hazard."), which stand together; none where there is no
// such.
std::span<const ListedRule> family_of(std::span<const ListedRule> rules, std::string_view family);

// The id or family nearest to the word, or nothing where none is near.
std::string nearest_word(std::string_view word, std::span<const ListedRule> rules);

}  // namespace msci
