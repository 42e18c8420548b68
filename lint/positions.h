// Places as editors count them.
#pragma once

#include <string_view>

#include "lint/metal/source.h"

namespace msci {

// What a column counts; editors and servers agree on one of them.
enum class ColumnUnit { byte, utf16 };

// Line and column count from 0.
struct Position {
  unsigned line = 0;
  unsigned column = 0;
  bool operator==(const Position&) const = default;
};

// What lies past the end of a line or of the text is taken for that end. A column inside of a
// character is its beginning; a byte that is no UTF-8 counts as one.
Position position_of(Location location, const Source& source, ColumnUnit unit);
Location location_of(Position position, const Source& source, ColumnUnit unit);

}  // namespace msci
