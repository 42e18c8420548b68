// A position in a list of tokens, with lookahead for the ends of brackets, names and types.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/host/syntax/lexer.h"

namespace msci::host {

// "const", "static", "struct", "__strong": a word that can stand in front of a type.
bool is_specifier(const Token& token);
// "int", "auto"
bool is_builtin_type(const Token& token);
// "return", "new": a word that begins no type.
bool is_statement_keyword(const Token& token);

class TokenCursor {
 protected:
  explicit TokenCursor(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& peek(std::size_t ahead = 0) const { return token(at_ + ahead); }
  // The last token, of kind `end`, stands for all that follow it.
  const Token& token(std::size_t at) const { return tokens_[std::min(at, tokens_.size() - 1)]; }
  bool ended() const { return peek().kind == Token::Kind::end; }
  Token take() { return ended() ? tokens_.back() : tokens_[at_++]; }
  bool accept(std::string_view mark);
  bool accept_name(std::string_view name);
  // Takes all up to the next semicolon outside brackets, and the semicolon.
  void skip_to_semicolon();

  // The bracket that closes this one; "" if it opens none.
  static std::string_view closing(const Token& open);
  // The index after the bracket that closes the one at `from`; the end without one.
  std::size_t after_bracket(std::size_t from) const;
  // The index after the template arguments that begin at `from`; none if they are a comparison.
  std::optional<std::size_t> after_angles(std::size_t from) const;
  // The index after the type that begins at `from`, without the pointers that follow it.
  std::optional<std::size_t> after_type(std::size_t from) const;
  // The index after a::b<c>::d.
  std::size_t after_name(std::size_t at) const;
  // The index after a::b, which stands here.
  std::size_t after_plain_name() const;
  std::size_t after_pointers(std::size_t at) const;
  // The text of the tokens [from, to), with spaces between words only.
  std::string spelling(std::size_t from, std::size_t to) const;

  // Whether the declaration of a variable begins here.
  bool at_variable() const;
  // Whether the definition of a class or an enumeration begins here.
  bool at_type_definition() const;
  // Whether a name or a literal stands at this index.
  bool begins_operand(std::size_t at) const;
  // Whether the tokens in the parentheses [begin, end] are the type of a cast of what comes after.
  bool is_cast(std::size_t begin, std::size_t end, std::size_t after) const;

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace msci::host
