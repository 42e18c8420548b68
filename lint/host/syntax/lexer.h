// The tokens of a host's source (C++, Objective-C++ or C) with its own macros expanded.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"

namespace msci::host {

struct Token {
  enum class Kind { name, number, string, punctuator, end };
  Kind kind = Kind::end;
  std::string spelling;  // of a string: its value
  Range range;           // of a token from a macro: where the macro is used
  bool is(std::string_view mark) const { return kind == Kind::punctuator && spelling == mark; }
  bool is_name(std::string_view name) const { return kind == Kind::name && spelling == name; }
};

// The tokens of one source.
struct Tokens {
  std::vector<Token> all;  // ends in one token of kind `end`
  bool complete = true;    // false: some macros are not expanded, or there are too many tokens
};

// Never fails and reads no other file. Of `#if` … `#else` … it takes the first part whose condition
// is not `0`.
Tokens lex(const Source& source);

}  // namespace msci::host
