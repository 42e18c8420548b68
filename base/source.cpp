#include "base/source.h"

#include <fmt/format.h>

#include <algorithm>

namespace msci {

Lines::Lines(std::string_view text) : starts_{0}, end_(text.size()) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts_.push_back(i + 1);
}

Location Lines::at(std::size_t offset) const {
  offset = std::min(offset, end_);
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return {.line = static_cast<unsigned>(next - starts_.begin()),
          .column = static_cast<unsigned>(offset - *std::prev(next)) + 1};
}

Location location_at(const Source& source, std::size_t offset) {
  const std::string_view before = std::string_view(source.text).substr(0, offset);
  const auto line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {.line = static_cast<unsigned>(std::count(before.begin(), before.end(), '\n')) + 1,
          .column = static_cast<unsigned>(before.size() - line_start) + 1};
}

std::size_t offset_of(const Source& source, Location location) {
  std::size_t offset = 0;
  for (unsigned line = 1; line < location.line && offset != std::string::npos; ++line) {
    offset = source.text.find('\n', offset);
    if (offset != std::string::npos) ++offset;
  }
  return offset == std::string::npos ? source.text.size()
                                     : std::min(offset + location.column - 1, source.text.size());
}

std::string to_string(const Place& place, const std::string& source) {
  const auto& [line, column] = place.range.begin;
  return fmt::format("{}:{}:{}", place.file.empty() ? source : place.file, line, column);
}

std::string_view text_of(const Source& source, const Range& range) {
  if (range.begin.line == 0 || range.end < range.begin) return {};
  const auto begin = offset_of(source, range.begin);
  return std::string_view(source.text).substr(begin, offset_of(source, range.end) - begin);
}

}  // namespace msci
