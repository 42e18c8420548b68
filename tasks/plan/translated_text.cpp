#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "tasks/plan/program.h"

namespace msci {
namespace {

constexpr std::array<std::string_view, 9> directives = {
    "#ifdef MSCI_NATIVE_SIMDGROUPS",
    "#ifndef MSCI_RESTRICT",
    "#define MSCI_RESTRICT",
    "#define MSCI_STEP(space, type, pointer, count) ((pointer) + (count) * (long)sizeof(type))",
    "#define MSCI_STEP(space, type, pointer, count) ((space uchar*)((space type*)(pointer) + "
    "(count)))",
    "#else",
    "#endif",
    "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable",
    "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable",
};

// The inline assembly of native simdgroup functions (compiler/ir/lane_functions.cpp).
constexpr std::array<std::string_view, 5> assembly = {
    R"(asm("mov.u32 %0, %%laneid;" : "=r"(l));)",
    R"(asm volatile("activemask.b32 %0;" : "=r"(m));)",
    R"(asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;" : "=r"(r))"
    R"( : "r"(v), "r"(lane), "r"(m));)",
    R"(asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }")"
    R"( : "=r"(r) : "r"(v), "r"(m));)",
    R"(asm volatile("bar.warp.sync %0;" :: "r"(mask) : "memory");)",
};

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

// Whether the text at the front is one of those; then it is removed.
template <std::size_t count>
bool take_one_of(std::string_view& text, const std::array<std::string_view, count>& known) {
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](std::string_view each) { return text.starts_with(each); });
  if (found == known.end()) return false;
  text.remove_prefix(found->size());
  return true;
}

// Other spellings of assembly, attributes and directives, and the builtins of compilers.
bool is_foreign_word(std::string_view word) {
  constexpr std::array<std::string_view, 7> starts = {
      "__asm", "__attribute", "__builtin", "__nvvm", "__pragma", "__declspec", "_Pragma"};
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return word.starts_with(start); });
}

// Whether "((aligned(N)))" or "((noinline))" follows.
bool known_attribute(std::string_view text) {
  constexpr std::string_view aligned = "((aligned(";
  if (text.starts_with("((noinline))")) return true;
  if (!text.starts_with(aligned)) return false;
  text.remove_prefix(aligned.size());
  const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(digits);
  return digits > 0 && text.starts_with(")))");
}

// What the translator did not write in one line; empty if it may have written all of it.
std::string_view foreign_in(std::string_view line) {
  if (std::find(directives.begin(), directives.end(), line) != directives.end()) return {};
  if (line.find('\r') != std::string_view::npos) return "\\r";  // ends a line for some compilers
  // A block comment would hide where such a line ends.
  const bool is_comment = line.starts_with("//") && line.find("*/") == std::string_view::npos;
  if (is_comment) return {};
  while (!line.empty()) {
    if (!in_word(line.front())) {
      // '#' begins a directive, and '%:' and '??' spell it differently; '\' joins lines; quotes and
      // block comments hide what follows.
      if (std::string_view("#\\\"'`@").find(line.front()) != std::string_view::npos)
        return line.substr(0, 1);
      for (const std::string_view pair : {"%:", "??", "[[", "/*", "*/"})
        if (line.starts_with(pair)) return pair;
      line.remove_prefix(1);
      continue;
    }
    const auto end = std::find_if_not(line.begin(), line.end(), in_word);
    const auto word = line.substr(0, static_cast<std::size_t>(end - line.begin()));
    if (word == "asm") {
      if (!take_one_of(line, assembly)) return word;
      continue;
    }
    line.remove_prefix(word.size());
    if (word == "__attribute__" ? !known_attribute(line) : is_foreign_word(word)) return word;
  }
  return {};
}

}  // namespace

std::optional<Error> find_foreign_text(std::string_view text) {
  for (unsigned line = 1; !text.empty(); ++line) {
    const auto length = std::min(text.find('\n'), text.size());
    if (const auto foreign = foreign_in(text.substr(0, length)); !foreign.empty())
      return Error{fmt::format(
          "line {} of the program's text contains '{}', which no translation writes there; make "
          "the file with msci-eval --emit opencl",
          line, foreign)};
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return std::nullopt;
}

}  // namespace msci
