#include "compiler/frontend/tokens/tokens.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include <map>

#include "compiler/frontend/tokens/bool_vectors.h"
#include "compiler/frontend/tokens/pass.h"
#include "compiler/frontend/tokens/token_stream.h"

namespace msci {
namespace {

namespace tok = clang::tok;
using Tokens = std::vector<clang::Token>;

// Metal's keywords that C++ does not have, in words of the SYCL-device dialect.
const std::map<std::string_view, std::string_view>& metal_keywords() {
  static const std::map<std::string_view, std::string_view> all{
#define MSCI_KEYWORD(name, meaning) {#name, meaning},
#include "compiler/frontend/tokens/keywords.def"
#undef MSCI_KEYWORD
  };
  return all;
}

// device → __attribute__((opencl_global)): the last step, on what the others have written too.
Tokens spell_keywords(clang::Preprocessor& preprocessor, const Tokens& tokens,
                      LanguageVersion version) {
  std::map<const clang::IdentifierInfo*, std::string_view> keywords;
  for (const auto& [name, meaning] : metal_keywords())
    if (name != "bfloat" || version.number >= 310)
      keywords[preprocessor.getIdentifierInfo({name.data(), name.size()})] = meaning;
  const auto& sources = preprocessor.getSourceManager();
  Speller speller(preprocessor);
  Tokens spelled;
  spelled.reserve(tokens.size() + tokens.size() / 4);
  for (const auto& token : tokens) {
    const auto* name = token.isAnnotation() ? nullptr : token.getIdentifierInfo();
    const auto keyword = name ? keywords.find(name) : keywords.end();
    if (keyword == keywords.end() || is_in_metal_header(sources, token.getLocation())) {
      spelled.push_back(token);
      continue;
    }
    const auto words = speller.words(keyword->second, token.getLocation());
    spelled.insert(spelled.end(), words.begin(), words.end());
  }
  return spelled;
}

}  // namespace

std::vector<clang::Token> rewrite_tokens(clang::Preprocessor& preprocessor,
                                         const std::vector<clang::Token>& metal,
                                         const MixedChoices& choices, LanguageVersion version) {
  const auto all = tokens::separate_bool_vectors(preprocessor, metal);
  const auto rewritten = tokens::Pass(preprocessor, all, version).run();
  return spell_keywords(preprocessor, unite_choices(preprocessor, rewritten, choices), version);
}

bool is_metal_keyword(std::string_view word) { return metal_keywords().contains(word); }

bool names_attribute(std::string_view metal, unsigned offset) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.LineComment = true;
  const std::string text(metal.substr(0, offset));  // the lexer wants a terminating zero
  clang::Lexer lexer(clang::SourceLocation(), language, text.data(), text.data(),
                     text.data() + text.size());
  std::vector<tok::TokenKind> kinds;
  for (clang::Token token; lexer.LexFromRawLexer(token), token.isNot(tok::eof);)
    kinds.push_back(token.getKind());
  int closed = 0;
  for (auto i = kinds.size(); i-- > 1;) {
    const auto kind = kinds[i];
    if (kind == tok::r_square || kind == tok::r_paren || kind == tok::r_brace) ++closed;
    const bool opens = kind == tok::l_square || kind == tok::l_paren || kind == tok::l_brace;
    if (opens && closed-- == 0) return kind == tok::l_square && kinds[i - 1] == tok::l_square;
  }
  return false;
}

}  // namespace msci
