// A Metal source text and the places in it.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace msci {

// One file's text; `name` is what findings call it.
struct Source {
  std::string name;
  std::string text;
  bool operator==(const Source&) const = default;
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

// A range of a file: where a finding, a note, an edit or a fault lies. `file` is the name of a
// source that the compiler or the host's reader has read; empty for the source that is looked at.
struct Place {
  std::string file;
  Range range;
  auto operator<=>(const Place&) const = default;

  // Whether it lies in a file at all.
  bool is_known() const { return range.begin.line > 0; }
  // The empty place at its beginning.
  Place start() const { return {file, {range.begin, range.begin}}; }
};

// "kernel.metal:3:7"; `source` is the name of the source that places without a file lie in.
std::string to_string(const Place& place, const std::string& source);

// Where the lines of a text start, for many questions.
class Lines {
 public:
  explicit Lines(std::string_view text = {});
  // The place of a byte; what lies past the end is taken for the end.
  Location at(std::size_t offset) const;

 private:
  std::vector<std::size_t> starts_;  // the first is 0
  std::size_t end_ = 0;
};

// Places and byte offsets of one source; what lies past its end is taken for its end.
Location location_at(const Source& source, std::size_t offset);
std::size_t offset_of(const Source& source, Location location);
// The text of a range; empty where it is nowhere.
std::string_view text_of(const Source& source, const Range& range);

}  // namespace msci
