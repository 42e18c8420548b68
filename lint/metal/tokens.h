// The pass over raw tokens that turns Metal spellings into ones the C++ parser takes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace msci {

// A text with replacements, and the way back: every place in `text` belongs to one in the original.
class Rewritten {
 public:
  // One replacement in the original text; sorted by offset, not overlapping.
  struct Change {
    unsigned offset = 0;
    unsigned length = 0;
    std::string replacement;
  };

  Rewritten(std::string_view original, const std::vector<Change>& changes);

  const std::string& text() const { return text_; }
  // Where the byte at `offset` of text() stood in the original. Inside a replacement: its
  // beginning, or the same byte where the replacement is as long as what it replaced.
  unsigned original_offset(unsigned offset) const;
  // Where the original's `offset` stands in text(), before what is inserted there. Inside of what
  // was replaced by another length: behind the replacement.
  unsigned rewritten_offset(unsigned offset) const;

 private:
  struct Piece {
    unsigned rewritten = 0;  // where the piece begins in text()
    unsigned original = 0;   // and in the original
    unsigned length = 0;  // bytes that map one to one; the rest of the piece maps to its beginning
  };
  std::string text_;
  std::vector<Piece> pieces_;
};

// Rewrites what Metal spells differently from C++ (see the comments at each step in tokens.cpp).
// Never adds or removes a line break, so lines stay the user's.
Rewritten rewrite_tokens(std::string_view metal);

// Whether a name at `offset` would be an attribute's: between `[[` and `]]`, outside of arguments.
bool names_attribute(std::string_view metal, unsigned offset);

}  // namespace msci
