// The tokens of a host's source: C++, Objective-C++ or C, with its own macros expanded.
#pragma once

#include <string>
#include <vector>

#include "lint/metal/source.h"

namespace msci::host {

struct Token {
  enum class Kind { name, number, text, mark, end };
  Kind kind = Kind::end;
  std::string spelling;  // of a text: what stands between the quotes
  Range range;           // of a macro's tokens: where the macro is used
  bool is(std::string_view mark) const { return kind == Kind::mark && spelling == mark; }
  bool named(std::string_view name) const { return kind == Kind::name && spelling == name; }
};

// What one source comes to.
struct Tokens {
  std::vector<Token> all;  // ends in one token of kind `end`
  bool complete = true;    // false: macros that we do not expand, or too many tokens
};

// Never fails and reads no other file. Of #if … #else … the first part is taken that is not "#if
// 0".
Tokens tokens_of(const Source& source);

}  // namespace msci::host
