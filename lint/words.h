// The tokens of a source as they stand: for questions that the AST does not answer, since macros
// are expanded in it and Metal's `thread` leaves no trace.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "lint/metal/source.h"

namespace msci {

// One token; comments are none unless they are kept, and an `#include <name>` is taken apart like
// everything else.
struct Word {
  std::string_view text;  // points into the source
  std::size_t offset = 0;
  bool starts_line = false;
  bool is(std::string_view spelling) const { return text == spelling; }
  bool is_identifier() const;
  bool is_comment() const { return text.starts_with("//") || text.starts_with("/*"); }
  std::size_t end() const { return offset + text.size(); }
};

enum class Comments { left_out, kept };
std::vector<Word> words_of(const Source& source, Comments comments = Comments::left_out);

// The index of the first word that ends behind `at`: the one that stands there.
std::size_t word_at(const std::vector<Word>& words, const Source& source, Location at);

// The index of the bracket that closes the one at `open`, or words.size().
std::size_t closing_word(const std::vector<Word>& words, std::size_t open);

// The place of the words [first, last].
Range range_of(const Source& source, const Word& first, const Word& last);
Range range_of(const Source& source, const Word& word);

}  // namespace msci
