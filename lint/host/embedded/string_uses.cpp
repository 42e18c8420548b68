#include "lint/host/embedded/string_uses.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace msci::host {
namespace {

constexpr const char* added_to = "the host adds other text to it";
constexpr const char* filled_in = "the host puts values into it";
constexpr const char* changed = "the host changes it";

// Members that pass a text on as it is.
bool passes_on(std::string_view member) {
  constexpr std::array<std::string_view, 20> harmless = {
      "strip",    "lstrip",     "rstrip", "trim",     "trim_start", "trim_end", "to_string",
      "to_owned", "into",       "as_str", "as_bytes", "as_ref",     "c_str",    "data",
      "encode",   "UTF8String", "utf8",   "size",     "length",     "clone"};
  return std::ranges::find(harmless, member) != harmless.end();
}

// Functions that make a string of a literal.
bool makes_string(std::string_view function) {
  constexpr std::array<std::string_view, 8> makers = {"string", "String", "str",      "string_view",
                                                      "from",   "dedent", "cleandoc", "NSString"};
  return std::ranges::find(makers, function) != makers.end();
}

// Functions and macros that make another text of their arguments.
std::string change_by(std::string_view function) {
  const auto names = [&](std::string_view part) { return function.find(part) != function.npos; };
  if (names("ormat") || names("printf") || names("ubstitute") || names("emplate") ||
      names("ender") || names("eplac") || names("regex"))
    return filled_in;
  if (names("oncat") || names("join") || names("Cat") || names("append")) return added_to;
  return "";
}

// The calls that make a library of a source, and have options behind it.
bool takes_options(std::string_view function) {
  constexpr std::array<std::string_view, 5> calls = {
      "makeLibrary", "newLibraryWithSource", "newLibrary", "newLibraryWithSource_options_error",
      "newLibraryWithSource_options_error_"};
  return std::ranges::find(calls, function) != calls.end();
}

// How far the name of such a call, and its options, may be from the source:
// "newLibrary(NS::String::string(source, NS::UTF8StringEncoding), nullptr, &error)".
constexpr std::size_t most_between = 12;

// How many words a bracket's beginning is looked for.
constexpr std::size_t most_looked_at = 4000;

}  // namespace

StringUses::StringUses(const std::vector<Word>& words, HostLanguage language)
    : words_(words), language_(language) {}

std::string StringUses::change_of(std::size_t first, std::size_t end) const {
  if (auto change = change_at(first, end); !change.empty()) return change;
  const auto variable = variable_of(first);
  if (variable.empty()) return "";
  if (is_value_of_a_string(variable)) return added_to;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const bool is_use = words_[i].is_name() && words_[i].text == variable &&
                        !(i > 0 && words_[i - 1].is(".") && language_ == HostLanguage::c_family);
    if (!is_use) continue;
    if (auto change = change_at(i, i + 1); !change.empty()) return change;
  }
  return "";
}

bool StringUses::are_compiled_alone(std::size_t first, std::size_t end) const {
  if (is_compiled_alone_at(first, end)) return true;
  const auto variable = variable_of(first);
  if (variable.empty()) return false;
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (words_[i].is_name() && words_[i].text == variable && is_compiled_alone_at(i, i + 1))
      return true;
  return false;
}

bool StringUses::is_compiled_alone_at(std::size_t first, std::size_t end) const {
  for (auto i = first; i > 0 && first - i < most_between && !words_[i - 1].is(";"); --i) {
    const auto& call = words_[i - 1];
    if (call.is("compile_shader")) return true;
    if (!takes_options(call.is_name() ? call.text : "")) continue;
    for (auto at = end; word(at) && at - end < most_between && !is(at, ";"); ++at)
      for (const auto* none : {"nil", "nullptr", "NULL", "None"})
        if (is(at, none)) return true;
    return false;
  }
  return false;
}

// Of an expression that consists of these words.
std::string StringUses::change_at(std::size_t first, std::size_t end) const {
  auto before = first;
  while (before > 0 && words_[before - 1].is("@")) --before;
  // A parenthesis around it, and what passes it on.
  auto after = end;
  while (is(after, ")") && before > 0 && words_[before - 1].is("(")) {
    const bool is_call = before > 1 && words_[before - 2].is_name();
    if (is_call && !makes_string(words_[before - 2].text)) break;
    before -= is_call ? 2 : 1;
    ++after;
    const auto scopes = [&] {
      return before > 2 && words_[before - 1].is(":");
    };  // std::, String::
    while (scopes()) before -= words_[before - 3].is_name() ? 3 : 2;
    if (before > 1 && words_[before - 1].is(".")) before -= 2;  // textwrap.
  }
  while (is(after, ".") && word(after + 1) && passes_on(words_[after + 1].text)) {
    after += 2;
    if (is(after, "(") && is(after + 1, ")")) after += 2;
  }
  const auto* previous = before > 0 ? word(before - 1) : nullptr;
  const auto* next = word(after);
  if (next && (next->is("+") || next->is("<"))) return added_to;  // <<, of streams
  if (previous && previous->is("+")) return added_to;
  if (previous && previous->is("<") && before > 1 && words_[before - 2].is("<")) return added_to;
  if (previous && previous->is("=") && before > 1 && words_[before - 2].is("+")) return added_to;
  if (next && next->is("%") && language_ == HostLanguage::python) return filled_in;
  if (next && next->is(".") && word(after + 1) && word(after + 1)->is_name()) {
    const auto member = words_[after + 1].text;
    const auto change = change_by(member);
    return change.empty() && is(after + 2, "(") ? changed : change;
  }
  const bool is_literal = words_[first].is_string();
  // A name beside a literal is a macro that joins it with another one.
  const bool joins =
      language_ == HostLanguage::c_family && is_literal &&
      ((next && next->is_name()) || (previous && previous->is_name() && !previous->is("return")));
  if (joins) return added_to;
  return change_by_call(before);
}

// Of the call, or of Objective-C's message, that the word is an argument of.
std::string StringUses::change_by_call(std::size_t first) const {
  if (first > 1 && words_[first - 1].is(":") && words_[first - 2].is_name())
    if (auto change = change_by(words_[first - 2].text); !change.empty()) return change;
  int depth = 0;
  for (auto i = first; i > 0 && first - i < most_looked_at; --i) {
    const auto& each = words_[i - 1];
    if (each.is(")") || each.is("]") || each.is("}")) ++depth;
    if (!each.is("(") && !each.is("[") && !each.is("{")) {
      if (depth == 0 && each.is(";")) return "";
      continue;
    }
    if (--depth >= 0) continue;
    if (!each.is("(") || i < 2) return "";
    const auto at = words_[i - 2].is("!") && i > 2 ? i - 3 : i - 2;  // of Rust's macros
    return words_[at].is_name() ? change_by(words_[at].text) : "";
  }
  return "";
}

// "source" of `static const char* source = …`, `let source: &str = …`, `source[] = …`.
std::string_view StringUses::variable_of(std::size_t first) const {
  auto i = first;
  while (i > 0 && (words_[i - 1].is("@") || words_[i - 1].is("("))) --i;
  if (i > 0 && words_[i - 1].is_name() && i > 1 && words_[i - 2].is("=")) --i;  // dedent(
  if (i > 1 && words_[i - 1].is(".")) return "";
  if (i == 0 || !words_[i - 1].is("=")) return "";
  --i;
  // The type that Rust, Swift and Python write behind the name.
  auto name = i;
  for (std::size_t steps = 0; name > 0 && steps < 8; --name, ++steps) {
    if (!words_[name - 1].is(":")) continue;
    if (name > 1 && words_[name - 2].is_name()) return words_[name - 2].text;
  }
  while (i > 0 && (words_[i - 1].is("]") || words_[i - 1].is("["))) --i;
  return i > 0 && words_[i - 1].is_name() ? words_[i - 1].text : "";
}

// "\(name)" or "{name}".
bool StringUses::is_value_of_a_string(std::string_view variable) const {
  const auto swift = fmt::format("({})", variable), other = fmt::format("{{{}}}", variable);
  return std::ranges::any_of(words_, [&](const Word& each) {
    return each.is_string() &&
           (each.body.find(swift) != each.body.npos || each.body.find(other) != each.body.npos);
  });
}

}  // namespace msci::host
