// Clang's raw lexer: the tokens of a text as they stand, before any preprocessing.
#pragma once

#include <clang/Basic/TokenKinds.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace msci {

// One token of a text. An `#include <name>` is split into tokens like everything else.
struct RawToken {
  std::string_view text;  // points into the lexed text
  std::size_t offset = 0;
  bool starts_line = false;
  clang::tok::TokenKind kind = clang::tok::unknown;
  bool has_splice = false;  // a line continuation or the like stands within the token
  bool is(std::string_view spelling) const { return text == spelling; }
  bool is_identifier() const { return kind == clang::tok::raw_identifier; }
  bool is_comment() const { return kind == clang::tok::comment; }
  std::size_t end() const { return offset + text.size(); }
};

enum class Dialect { metal, objective_cxx };
enum class Comments { left_out, kept };

// Never fails: characters that form no token, and unterminated literals, have the kind `unknown`.
std::vector<RawToken> lex_raw(std::string_view text, Dialect dialect,
                              Comments comments = Comments::left_out);

// The token without the line continuations within it. Not for raw strings, which have none.
std::string spelling_of(const RawToken& token);

}  // namespace msci
