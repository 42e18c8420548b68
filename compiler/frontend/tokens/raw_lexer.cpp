#include "compiler/frontend/tokens/raw_lexer.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

namespace msci {
namespace {

clang::LangOptions options_for(Dialect dialect) {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = true;
  options.LineComment = options.DollarIdents = options.HexFloats = true;
  options.ObjC = dialect == Dialect::objective_cxx;
  return options;
}

}  // namespace

std::vector<RawToken> lex_raw(std::string_view text, Dialect dialect, Comments comments) {
  const std::string terminated(text);  // the lexer reads up to a zero
  const auto* begin = terminated.data();
  const auto options = options_for(dialect);
  clang::Lexer lexer(clang::SourceLocation(), options, begin, begin, begin + terminated.size());
  lexer.SetCommentRetentionState(comments == Comments::kept);
  std::vector<RawToken> tokens;
  for (clang::Token token;;) {
    lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof)) return tokens;
    const auto end = static_cast<std::size_t>(lexer.getBufferLocation() - begin);
    const auto offset = end - token.getLength();
    tokens.push_back({.text = text.substr(offset, token.getLength()),
                      .offset = offset,
                      .starts_line = token.isAtStartOfLine(),
                      .kind = token.getKind(),
                      .has_splice = token.needsCleaning()});
  }
}

std::string spelling_of(const RawToken& token) {
  std::string text(token.text);
  if (!token.has_splice) return text;
  std::string spelling;
  for (std::size_t at = 0; at < text.size();) {
    const auto next = clang::Lexer::getCharAndSizeNoWarn(text.data() + at, clang::LangOptions());
    spelling += next.Char;
    at += next.Size;
  }
  return spelling;
}

}  // namespace msci
