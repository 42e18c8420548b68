// Which rules run, and the severities of their findings.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/compile_options.h"
#include "lint/finding.h"
#include "lint/rule.h"

namespace msci {

// Replaces the severity of rules; none: they are off.
struct Override {
  std::string rules;  // an id ("hazard.barrier_divergence") or a family ("hazard", "hazard.")
  std::optional<Severity> severity;
  bool operator==(const Override&) const = default;
};

// "hazard=note", "slow.=off" → the override. Errors: another form, another severity.
Result<Override> override_from(std::string_view text);

// Which rules to run, and what they may know about the source. Rules are named by id or family, as
// in Override; if several names fit a rule, an id takes precedence over a family.
struct LintRequest {
  CompileOptions compile;
  std::vector<LanguageVersion> versions;  // oldest first, if several: each is linted
  Contract contract;
  std::vector<std::string> select;               // empty: all
  std::vector<std::string> ignore;               // removed from those
  std::vector<Override> overrides;               // if two fit equally well, the last one wins
  FindKernelResources find_resources = nullptr;  // for resource.occupancy; null: it is off
};

// Whether the request runs this rule. Errors that keep a source from compiling are always reported.
bool selected(const ListedRule& rule, const LintRequest& request);

// The severity of a finding of this rule, which is not off and reports severity `own` itself.
Severity severity_of(Severity own, const ListedRule& rule, const LintRequest& request);

// The request unchanged. Errors: a name that fits no rule, with the nearest one that does.
Result<LintRequest> validated(LintRequest request, std::span<const ListedRule> rules);

// The rule of this id, or null.
const ListedRule* find_rule(std::span<const ListedRule> rules, std::string_view id);

// The rules of this family ("hazard" or "hazard."), which are adjacent; empty without such a
// family.
std::span<const ListedRule> family_of(std::span<const ListedRule> rules, std::string_view family);

// The id or family nearest to the name; empty if none is near.
std::string nearest_name(std::string_view name, std::span<const ListedRule> rules);

}  // namespace msci
