// A Metal source text and the places in it.
#pragma once

#include <compare>
#include <string>

namespace msci {

// One file's text; `name` is what findings call it.
struct Source {
  std::string name;
  std::string text;
};

// A place in a source: line and column count from 1, columns in bytes; 0 means "nowhere".
struct Location {
  unsigned line = 0;
  unsigned column = 0;
  auto operator<=>(const Location&) const = default;
};

// The text from `begin` up to, not including, `end`.
struct Range {
  Location begin;
  Location end;
  auto operator<=>(const Range&) const = default;
};

}  // namespace msci
