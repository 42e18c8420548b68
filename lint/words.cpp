#include "lint/words.h"

#include <clang/Basic/CharInfo.h>
#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace msci {

bool Word::is_identifier() const {
  return !text.empty() && clang::isAsciiIdentifierStart(text.front(), /*AllowDollar=*/true);
}

std::vector<Word> words_of(const Source& source, Comments comments) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 = language.CPlusPlus17 = true;
  language.LineComment = language.HexFloats = true;
  const auto& text = source.text;
  clang::Lexer lexer(clang::SourceLocation(), language, text.data(), text.data(),
                     text.data() + text.size());
  lexer.SetCommentRetentionState(comments == Comments::kept);
  std::vector<Word> words;
  for (clang::Token token;;) {
    lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof)) return words;
    const auto offset =
        static_cast<std::size_t>(lexer.getBufferLocation() - text.data()) - token.getLength();
    words.push_back({std::string_view(text).substr(offset, token.getLength()), offset,
                     token.isAtStartOfLine()});
  }
}

std::size_t word_at(const std::vector<Word>& words, const Source& source, Location at) {
  const auto offset = offset_of(source, at);
  const auto found = std::partition_point(words.begin(), words.end(),
                                          [&](const Word& word) { return word.end() <= offset; });
  return static_cast<std::size_t>(found - words.begin());
}

std::size_t closing_word(const std::vector<Word>& words, std::size_t open) {
  int depth = 0;
  for (auto i = open; i < words.size(); ++i) {
    const auto& word = words[i];
    if (word.is("(") || word.is("[") || word.is("{")) ++depth;
    if ((word.is(")") || word.is("]") || word.is("}")) && --depth == 0) return i;
  }
  return words.size();
}

Range range_of(const Source& source, const Word& first, const Word& last) {
  return {location_at(source, first.offset), location_at(source, last.end())};
}

Range range_of(const Source& source, const Word& word) { return range_of(source, word, word); }

}  // namespace msci
