// Positions in the units of editors.
#pragma once

#include <string_view>

#include "base/source.h"

namespace msci {

// What a column counts. Editor and server agree on one of them.
enum class ColumnUnit { byte, utf16, character };

// Line and column count from 0.
struct EditorPosition {
  unsigned line = 0;
  unsigned column = 0;
  bool operator==(const EditorPosition&) const = default;
};

// The columns, from 0, of the first `bytes` bytes of a line.
unsigned columns_before(std::size_t bytes, std::string_view line, ColumnUnit unit);

// Positions past the end of a line or of the text mean that end. A column inside of a character
// means its beginning. A byte that is not UTF-8 counts as a character.
Location location_of(EditorPosition position, const Source& source, ColumnUnit unit);

}  // namespace msci
