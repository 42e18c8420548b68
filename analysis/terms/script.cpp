#include "analysis/terms/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "analysis/terms/range.h"

namespace msci::prover {

std::string smt_number(Wide value) {
  const bool is_negative = value < 0;
  std::string digits;
  for (auto rest = is_negative ? -value : value; rest > 0 || digits.empty(); rest /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  return is_negative ? "(- " + digits + ")" : digits;
}

namespace {

std::string sort_text(Sort sort) {
  if (sort == Sort::integer) return "Int";
  if (sort == Sort::boolean) return "Bool";
  return fmt::format("(_ BitVec {})", static_cast<unsigned>(sort));
}

bool is_of_name(char each) { return std::isalnum(static_cast<unsigned char>(each)) || each == '_'; }

}  // namespace

std::string assertion_of(const std::string& formula) {
  return fmt::format("(assert {})\n", formula);
}

std::string Script::fresh(std::string_view prefix) { return fmt::format("{}{}", prefix, next_++); }

void Script::add(const std::string& name, std::string command, std::vector<std::size_t> needs) {
  numbers_.emplace(name, symbols_.size());
  symbols_.push_back({.name = name, .command = std::move(command), .needs = std::move(needs)});
}

bool Script::declare_named(const std::string& name, Sort sort, unsigned parameters) {
  if (has(name)) return false;
  std::string types;
  for (unsigned i = 0; i < parameters; ++i) types += i == 0 ? "Int" : " Int";
  add(name, fmt::format("(declare-fun {} ({}) {})", name, types, sort_text(sort)), {});
  return true;
}

std::string Script::declare(std::string_view prefix, Sort sort, unsigned parameters) {
  auto name = fresh(prefix);
  declare_named(name, sort, parameters);
  return name;
}

std::string Script::define(std::string_view prefix, Sort sort, const std::string& text) {
  auto name = fresh(prefix);
  add(name, fmt::format("(define-fun {} () {} {})", name, sort_text(sort), text), symbols_in(text));
  return name;
}

void Script::add_fact(const std::string& name, const std::string& fact) {
  symbols_[numbers_.at(name)].facts.push_back(fact);
}

void Script::set_unknown(const std::string& name, Unknown unknown) {
  auto& symbol = symbols_[numbers_.at(name)];
  symbol.is_unknown = true;
  symbol.unknown = std::move(unknown);
}

const std::vector<std::string>& Script::bits_of(const std::string& number, unsigned count) {
  auto& bits = bits_[fmt::format("{} {}", count, number)];
  if (!bits.empty()) return bits;
  auto sum = fmt::format("(= {} (+ 0", number);
  for (unsigned i = 0; i < count; ++i) {
    bits.push_back(declare("z", Sort::integer));
    sum += fmt::format(" (* {} {})", smt_number(power_of_two(i)), bits.back());
  }
  const auto are_its_bits = define("b", Sort::boolean, sum + "))");
  for (const auto& bit : bits)
    add_fact(bit, fmt::format("(and (<= 0 {}) (<= {} 1) {})", bit, bit, are_its_bits));
  return bits;
}

std::vector<std::size_t> Script::symbols_in(std::string_view text) const {
  std::vector<std::size_t> found;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_of_name(text[at])) {
      ++at;
      continue;
    }
    auto end = at;
    while (end < text.size() && is_of_name(text[end])) ++end;
    const auto known = numbers_.find(text.substr(at, end - at));
    if (known != numbers_.end()) found.push_back(known->second);
    at = end;
  }
  return found;
}

std::vector<bool> Script::needed_by(const std::vector<std::string>& formulas) const {
  std::vector<bool> is_needed(symbols_.size());
  std::vector<std::size_t> open;
  const auto need = [&](const std::vector<std::size_t>& symbols) {
    for (const auto each : symbols)
      if (!is_needed[each]) {
        is_needed[each] = true;
        open.push_back(each);
      }
  };
  for (const auto& formula : formulas) need(symbols_in(formula));
  while (!open.empty()) {
    const auto& symbol = symbols_[open.back()];
    open.pop_back();
    need(symbol.needs);
    for (const auto& fact : symbol.facts) need(symbols_in(fact));
  }
  return is_needed;
}

std::string Script::preamble_of(const std::vector<std::string>& formulas) const {
  const auto is_needed = needed_by(formulas);
  std::string text, facts;
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    if (!is_needed[i]) continue;
    text += symbols_[i].command + "\n";
    for (const auto& fact : symbols_[i].facts) facts += assertion_of(fact);
  }
  return text + facts;
}

std::string Script::take_new() {
  std::string text, facts;
  for (auto& symbol : symbols_) {
    if (!std::exchange(symbol.is_taken, true)) text += symbol.command + "\n";
    for (auto& next = symbol.taken_facts; next < symbol.facts.size(); ++next)
      facts += assertion_of(symbol.facts[next]);
  }
  return text + facts;
}

bool Script::needs_any(const std::string& formula, const std::set<std::string>& names) const {
  const auto is_needed = needed_by({formula});
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto known = numbers_.find(name);
    return known != numbers_.end() && is_needed[known->second];
  });
}

std::vector<Unknown> Script::unknowns_in(const std::vector<std::string>& formulas) const {
  const auto is_needed = needed_by(formulas);
  std::vector<Unknown> unknowns;
  for (std::size_t i = 0; i < symbols_.size(); ++i)
    if (is_needed[i] && symbols_[i].is_unknown) unknowns.push_back(symbols_[i].unknown);
  return unknowns;
}

}  // namespace msci::prover
