// A list of preprocessed tokens to look around in, and to change.
#pragma once

#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/Token.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/tokens/tokens.h"

namespace msci {

// Whether a place, or the use of a macro there, lies in one of our Metal headers, which are C++
// already. Headers in the user's system folders are Metal text.
bool is_in_metal_header(const clang::SourceManager& sources, clang::SourceLocation location);

// One token with its text, which lives as long as the preprocessor.
struct Token {
  clang::tok::TokenKind kind = clang::tok::eof;
  std::string_view text;
  clang::Token raw;
  bool is_system = false;  // of a header of Metal's
  bool is(std::string_view spelling) const { return text == spelling; }
  bool is_name() const { return !raw.isAnnotation() && raw.getIdentifierInfo(); }
};

// Makes tokens of texts.
class Speller {
 public:
  explicit Speller(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}
  // The tokens of a text, which all stand at `place`.
  std::vector<clang::Token> words(std::string_view text, clang::SourceLocation place);

 private:
  clang::Preprocessor& preprocessor_;
  std::map<std::string, std::vector<clang::Token>, std::less<>> known_;
};

// Tokens by index, brackets that belong together, and a list of changes.
class TokenStream {
 public:
  TokenStream(clang::Preprocessor& preprocessor, const std::vector<clang::Token>& tokens);

  std::size_t size() const { return tokens_.size(); }
  // Beyond the end stands a token without text.
  const Token& at(std::size_t index) const {
    return index < tokens_.size() ? tokens_[index] : end_;
  }
  const Token& before(std::size_t index) const { return index ? at(index - 1) : end_; }

  static bool opens(const Token& token);
  static bool closes(const Token& token);
  // Index of the bracket that closes the one at `open`, or size().
  std::size_t closing(std::size_t open) const;
  // Index of the bracket that opens the one closed at `close`, or 0.
  std::size_t opening(std::size_t close) const;
  // Index of the '>' that closes the '<' at `open`, or nothing where it is a comparison.
  std::optional<std::size_t> closing_angle(std::size_t open) const;
  // How many expressions the brackets [open, close] hold.
  std::size_t list_size(std::size_t open, std::size_t close) const;
  // Whether `[[` stands here.
  bool begins_attributes(std::size_t index) const;

  // The tokens of a text, which all stand where `place` stands.
  std::vector<clang::Token> words(std::string_view text, const Token& place) {
    return speller_.words(text, place.raw.getLocation());
  }
  // Copies of the tokens [first, last].
  std::vector<clang::Token> copy(std::size_t first, std::size_t last) const;

  void replace(std::size_t index, std::string_view text) { replace(index, index, text); }
  // Replaces the tokens [first, last].
  void replace(std::size_t first, std::size_t last, std::string_view text);
  void replace(std::size_t first, std::size_t last, std::vector<clang::Token> tokens);
  void insert_before(std::size_t index, std::string_view text);
  void insert_before(std::size_t index, std::vector<clang::Token> tokens);
  // Removes the tokens [first, last], whatever else was done with them.
  void remove(std::size_t first, std::size_t last);

  // The tokens with all changes. Where two claim the same token, the first one has it.
  std::vector<clang::Token> changed() const;

 private:
  struct Change {
    std::size_t begin = 0;
    std::size_t end = 0;  // equal to begin: an insertion
    std::vector<clang::Token> tokens;
  };

  void pair_brackets();

  Speller speller_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> partners_;  // of each bracket; of any other token 0
  Token end_;
  std::vector<Change> changes_;
};

// `c ? a : b` between objects in different address spaces.

// Makes values of both operands of the mixed choices, which C++ cannot unite as objects, and of all
// choices that may be mixed for other types. Without a mixed choice, only those in templates are
// written anew whose value is assigned and that may take an element or a member:
//   c ? a : b  →  c ? static_cast<$plain_of<decltype(a)>>(a) :
//   static_cast<$plain_of<decltype(b)>>(b)
std::vector<clang::Token> unite_choices(clang::Preprocessor& preprocessor,
                                        std::vector<clang::Token> tokens,
                                        const MixedChoices& choices);

}  // namespace msci
