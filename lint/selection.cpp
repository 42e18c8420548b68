#include "lint/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace msci {
namespace {

// How a name fits a rule: not at all, as its family, or as its id.
enum class Fit { none, family, id };

Fit fit(std::string_view word, const ListedRule& rule) {
  if (word == rule.id) return Fit::id;
  if (word.ends_with('.')) word.remove_suffix(1);
  return word == rule.family() ? Fit::family : Fit::none;
}

Fit best_fit(const std::vector<std::string>& words, const ListedRule& rule) {
  auto best = Fit::none;
  for (const auto& word : words) best = std::max(best, fit(word, rule));
  return best;
}

// Rules that help with one piece of work: they run where their id is selected or given a severity,
// not with their family, nor with all.
bool runs_only_if_named(const ListedRule& rule) { return rule.id == "metal.implicit_thread"; }

// The override that applies to a rule, or null.
const Override* override_of(const ListedRule& rule, const LintRequest& request) {
  const Override* best = nullptr;
  for (const auto& each : request.overrides)
    if (const auto here = fit(each.rules, rule);
        here != Fit::none && (!best || here >= fit(best->rules, rule)))
      best = &each;
  return best;
}

// The ids and families that an unknown word may stand for.
std::vector<std::string> nearest_names(std::string_view word, std::span<const ListedRule> rules) {
  std::set<std::string_view> words;
  for (const auto& rule : rules) words.insert({rule.id, rule.family()});
  return nearest_ids(word, std::vector(words.begin(), words.end()));
}

std::optional<Error> check(std::string_view word, std::span<const ListedRule> rules) {
  const auto fits = [&](const ListedRule& rule) { return fit(word, rule) != Fit::none; };
  if (std::any_of(rules.begin(), rules.end(), fits)) return std::nullopt;
  const auto near = nearest_names(word, rules);
  return Error{fmt::format("no rule or family is called \"{}\"{}", word,
                           near.empty() ? "; see --list-rules" : did_you_mean(near))};
}

}  // namespace

Result<Override> override_from(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return Error{fmt::format("\"{}\" is not of the form RULE=SEVERITY", text)};
  Override made{.rules = std::string(text.substr(0, equals))};
  const auto word = text.substr(equals + 1);
  if (word == "off") return made;
  for (const auto severity : {Severity::error, Severity::warning, Severity::note})
    if (word == to_string(severity)) {
      made.severity = severity;
      return made;
    }
  return Error{fmt::format("\"{}\" is not a severity; use error, warning, note or off", word)};
}

bool selected(const ListedRule& rule, const LintRequest& request) {
  const auto* over = override_of(rule, request);
  if (over && !over->severity) return false;
  const auto wanted = best_fit(request.select, rule);
  if (runs_only_if_named(rule))
    return wanted == Fit::id || (over && fit(over->rules, rule) == Fit::id);
  if (!request.select.empty() && wanted == Fit::none) return false;
  const auto unwanted = best_fit(request.ignore, rule);
  return unwanted == Fit::none || wanted > unwanted;
}

Severity severity_of(Severity own, const ListedRule& rule, const LintRequest& request) {
  const auto* over = override_of(rule, request);
  return over ? over->severity.value_or(own) : own;
}

Result<LintRequest> validated(LintRequest request, std::span<const ListedRule> rules) {
  std::vector<std::string_view> words(request.select.begin(), request.select.end());
  words.insert(words.end(), request.ignore.begin(), request.ignore.end());
  for (const auto& each : request.overrides) words.push_back(each.rules);
  for (const auto word : words)
    if (auto error = check(word, rules)) return *error;
  return request;
}

const ListedRule* find_rule(std::span<const ListedRule> rules, std::string_view id) {
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [&](const ListedRule& rule) { return rule.id == id; });
  return found == rules.end() ? nullptr : &*found;
}

std::span<const ListedRule> family_of(std::span<const ListedRule> rules, std::string_view family) {
  const auto is_in = [&](const ListedRule& rule) { return fit(family, rule) == Fit::family; };
  const auto begin = std::find_if(rules.begin(), rules.end(), is_in);
  return {begin, std::find_if_not(begin, rules.end(), is_in)};
}

std::string nearest_name(std::string_view word, std::span<const ListedRule> rules) {
  const auto names = nearest_names(word, rules);
  return names.empty() ? std::string() : names.front();
}

}  // namespace msci
