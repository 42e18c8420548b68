// The tokens of a source as they stand, for questions that the AST cannot answer: macros are
// expanded in it, and Metal's `thread` leaves no trace.
#pragma once

#include <cstddef>
#include <vector>

#include "base/source.h"
#include "compiler/frontend/tokens/raw_lexer.h"
#include "compiler/frontend/unit.h"

namespace msci {

// The tokens of a source; an `#include <name>` is split like everything else.
std::vector<RawToken> raw_tokens(const Source& source, Comments comments = Comments::left_out);

// Those of a unit's source, lexed at the first call.
const std::vector<RawToken>& raw_tokens(const Unit& unit);

// The index of the first token that ends behind `at`: the one that stands there.
std::size_t token_at(const std::vector<RawToken>& tokens, const Source& source, Location at);

// The index of the bracket that closes the one at `open`, or tokens.size().
std::size_t closing_token(const std::vector<RawToken>& tokens, std::size_t open);

// The range of the tokens [first, last].
Range range_of(const Source& source, const RawToken& first, const RawToken& last);
Range range_of(const Source& source, const RawToken& token);

// The tokens of one file of a unit, which are lexed once, and their places.
class FileTokens {
 public:
  // Of the file that `place` lies in: the source, or one that it includes.
  FileTokens(const Unit& unit, const Place& place);

  const std::vector<RawToken>& words() const { return words_; }
  const Source& source() const { return source_; }
  bool contains(const Place& place) const { return place.file == file_; }
  // The index of the first token that ends behind the beginning of a place of this file.
  std::size_t at(const Place& place) const;
  Place place_of(const RawToken& first, const RawToken& last) const;
  Place place_of(const RawToken& token) const { return place_of(token, token); }

 private:
  std::string file_;
  const Source& source_;
  const std::vector<RawToken>& words_;
};

}  // namespace msci
