#include <algorithm>
#include <array>

#include "lint/host/readers/readers.h"

namespace msci::host {
namespace {

constexpr std::size_t longest_header = 200;  // in words
constexpr std::size_t most_scopes_above = 32;

}  // namespace

Scopes::Scopes(const Calls& calls, HostLanguage language)
    : calls_(calls), words_(calls.words()), language_(language), of_words_(words_.size()) {
  if (language_ == HostLanguage::python)
    read_indentation();
  else
    read_braces();
}

std::optional<std::size_t> Scopes::type_named(std::string_view name) const {
  const auto found = types_.find(name);
  return found == types_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> Scopes::type_around(std::size_t scope) const {
  for (std::size_t steps = 0; scope != file && steps < most_scopes_above; ++steps) {
    if (all_[scope].is_type) return scope;
    scope = all_[scope].parent;
  }
  return std::nullopt;
}

std::size_t Scopes::add(std::size_t parent) {
  all_.push_back({.parent = parent});
  return all_.size() - 1;
}

std::size_t Scopes::add_type(std::size_t parent, std::string_view name) {
  const auto [known, is_new] = types_.try_emplace(name, all_.size());
  if (is_new) all_.push_back({.parent = parent, .is_type = true});
  return known->second;
}

bool Scopes::begins_function(std::size_t at) const {
  if (at > 0 && words_[at - 1].is(".")) return false;
  switch (language_) {
    case HostLanguage::swift:
      return words_[at].is("func") || words_[at].is("subscript") ||
             (words_[at].is("init") && (calls_.is(at + 1, "(") || calls_.is(at + 1, "<") ||
                                        calls_.is(at + 1, "?") || calls_.is(at + 1, "!")));
    case HostLanguage::rust:
      return words_[at].is("fn") && calls_.is_name(at + 1);
    default:
      return words_[at].is("def");
  }
}

bool Scopes::begins_type(std::size_t at) const {
  constexpr std::array<std::string_view, 6> swift = {"class",     "struct", "enum",
                                                     "extension", "actor",  "protocol"};
  constexpr std::array<std::string_view, 4> rust = {"impl", "struct", "enum", "trait"};
  const auto& text = words_[at].text;
  if (!words_[at].is_name() || (at > 0 && words_[at - 1].is("."))) return false;
  if (language_ == HostLanguage::swift)
    return std::ranges::find(swift, text) != swift.end() && calls_.is_name(at + 1) &&
           !calls_.is(at + 1, "func") && !calls_.is(at + 1, "var") && !calls_.is(at + 1, "let");
  const bool is_start = at == 0 || words_[at].starts_line || words_[at - 1].is("pub") ||
                        words_[at - 1].is("unsafe") || words_[at - 1].is("]");
  return is_start && std::ranges::find(rust, text) != rust.end();
}

// The last word of a function; its parameters are kept.
std::size_t Scopes::end_of_function(std::size_t keyword) {
  const auto limit = std::min(words_.size(), keyword + longest_header);
  const bool has_name = !words_[keyword].is("init") && !words_[keyword].is("subscript");
  auto at = keyword + (has_name ? 2 : 1);
  for (int depth = 0; at < limit && (!words_[at].is("(") || depth > 0); ++at) {
    if (words_[at].is("<")) ++depth;
    if (words_[at].is(">") && !words_[at - 1].is("-")) --depth;
    if (words_[at].is("{") || words_[at].is(";")) return at;
  }
  if (at >= limit || calls_.match(at) <= at) return std::min(at, words_.size() - 1);
  if (parameters_.empty() || at >= parameters_.back().end)
    parameters_.push_back({at + 1, calls_.match(at)});
  const auto close = calls_.match(at);
  if (language_ == HostLanguage::python) return close;
  for (at = close + 1; at < std::min(words_.size(), close + longest_header); ++at) {
    const auto& word = words_[at];
    if (word.is("{")) return std::max(calls_.match(at), at);
    if (word.is(";") || word.is("}") || word.is("var") || word.is("let") || begins_function(at))
      break;
    if (calls_.match(at) > at) at = calls_.match(at);
  }
  return close;
}

// "extension Outer.Inner: P {": Inner; "impl<T> Trait for Kernel<T> {": Kernel.
std::string_view Scopes::name_of_type(std::size_t keyword, std::size_t open) const {
  std::string_view name;
  int depth = 0;
  for (auto at = keyword + 1; at < open; ++at) {
    if (words_[at].is("<")) ++depth;
    if (words_[at].is(">") && !words_[at - 1].is("-")) --depth;
    if (depth > 0) continue;
    if (words_[at].is("for")) {
      name = {};
      continue;
    }
    if (words_[at].is("where") || (language_ == HostLanguage::swift && words_[at].is(":"))) break;
    const bool is_last = name.empty() || words_[at - 1].is(".") || words_[at - 1].is(":");
    if (words_[at].is_name() && is_last) name = words_[at].text;
  }
  return name;
}

void Scopes::read_braces() {
  struct Open {
    std::size_t end;  // its last word
    std::size_t scope;
  };
  std::vector<Open> stack{{words_.size(), file}};
  std::size_t opens_type = 0;  // the brace of the type whose keyword was the last
  std::string_view name;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    while (stack.size() > 1 && i > stack.back().end) stack.pop_back();
    const auto scope = stack.back().scope;
    const bool in_function = scope != file && !all_[scope].is_type;
    if (begins_function(i)) {
      stack.push_back({end_of_function(i), add(scope)});
    } else if (begins_type(i)) {
      auto open = i + 1;
      const auto limit = std::min(words_.size(), i + longest_header);
      while (open < limit && !words_[open].is("{") && !words_[open].is(";")) ++open;
      opens_type = open;
      name = open < limit ? name_of_type(i, open) : std::string_view();
    } else if (words_[i].is("{") && calls_.match(i) > i) {
      const bool is_type = i == opens_type && !name.empty();
      if (is_type || !in_function)
        stack.push_back({calls_.match(i), is_type ? add_type(scope, name) : add(scope)});
    }
    of_words_[i] = stack.back().scope;
  }
}

// Of the first word of a line.
std::size_t Scopes::column(std::size_t word) const {
  const auto* text = words_[word].text.data();
  std::size_t column = 0;
  while (column < words_[word].offset && (text[-1] == ' ' || text[-1] == '\t')) --text, ++column;
  return column;
}

void Scopes::read_indentation() {
  struct Open {
    std::size_t column;
    std::size_t scope;
  };
  std::vector<Open> stack;
  std::size_t line = 0;         // the column of the line
  std::size_t in_brackets = 0;  // up to this word
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (words_[i].starts_line && i >= in_brackets) {
      line = column(i);
      while (!stack.empty() && stack.back().column >= line) stack.pop_back();
    }
    in_brackets = std::max(in_brackets, calls_.match(i));
    const auto scope = stack.empty() ? file : stack.back().scope;
    if (begins_function(i)) {
      end_of_function(i);
      stack.push_back({line, add(scope)});
    } else if (words_[i].is("class") && words_[i].starts_line && calls_.is_name(i + 1)) {
      stack.push_back({line, add_type(scope, words_[i + 1].text)});
    }
    of_words_[i] = stack.empty() ? file : stack.back().scope;
  }
}

}  // namespace msci::host
