// Semantic tokens: what the names of a source are, for an editor to colour them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "compiler/frontend/unit.h"

namespace msci {

// The protocol's names for kinds of tokens, by number.
constexpr std::array semantic_kinds = {
    "namespace", "struct",     "enum",     "type",   "typeParameter", "parameter", "variable",
    "property",  "enumMember", "function", "method", "macro",         "keyword",   "decorator"};

// What can be said in addition, by bit: the protocol's words, and the address spaces of Metal,
// which a variable is in or points into.
constexpr std::array semantic_modifiers = {"declaration", "readonly", "defaultLibrary", "kernel",
                                           "device",      "constant", "threadgroup"};

struct SemanticToken {
  Range range;
  unsigned kind = 0;       // in semantic_kinds
  unsigned modifiers = 0;  // bits of semantic_modifiers
};

// The names of the source that the compiler resolves, Metal's keywords and attributes, and the
// user's macros; by place, without overlaps. Nothing about words in code that is left out.
std::vector<SemanticToken> semantic_tokens(const Unit& unit);

}  // namespace msci
