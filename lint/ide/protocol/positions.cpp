#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/ide/protocol/replies.h"

namespace msci {
namespace {

bool continues(char c) { return (c & 0xC0) == 0x80; }

// How many units a character has that starts with this byte: two of UTF-16 where its UTF-8 has
// four, one of UTF-32.
unsigned units_of(char first, ColumnUnit unit) {
  if (unit == ColumnUnit::character) return 1;
  const auto byte = static_cast<unsigned char>(first);
  return byte >= 0xF0 && byte <= 0xF4 ? 2 : 1;
}

unsigned units_in(std::string_view text, ColumnUnit unit) {
  unsigned units = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (i == 0 || !continues(text[i])) units += units_of(text[i], unit);
  return units;
}

// The bytes that come before a column.
std::size_t bytes_before(unsigned column, std::string_view line, ColumnUnit unit) {
  std::size_t at = 0;
  for (unsigned units = 0; at < line.size();) {
    units += units_of(line[at], unit);
    if (units > column) break;
    ++at;
    while (at < line.size() && continues(line[at])) ++at;
  }
  return at;
}

// The offset of a position of a change; nothing past the line after the last one.
std::optional<std::size_t> offset_in(EditorPosition position, const Source& source,
                                     ColumnUnit unit) {
  const auto lines = std::ranges::count(source.text, '\n') + 1;
  if (position.line > static_cast<std::size_t>(lines)) return std::nullopt;
  return offset_of(source, location_of(position, source, unit));
}

}  // namespace

EditorPosition position_from(const Json& json) {
  using Number = Json::number_unsigned_t;
  const auto number = [&](const char* name) {
    constexpr Number most = 0x7fffffff;
    return static_cast<unsigned>(std::min(json.at(name).get_ref<const Number&>(), most));
  };
  return {number("line"), number("character")};
}

unsigned columns_before(std::size_t bytes, std::string_view line, ColumnUnit unit) {
  const auto before = line.substr(0, std::min(bytes, line.size()));
  return unit == ColumnUnit::byte ? static_cast<unsigned>(before.size()) : units_in(before, unit);
}

Location location_of(EditorPosition position, const Source& source, ColumnUnit unit) {
  const auto line = line_at(source.text, position.line + 1);
  const auto bytes = unit == ColumnUnit::byte ? std::min<std::size_t>(position.column, line.size())
                                              : bytes_before(position.column, line, unit);
  return {position.line + 1, static_cast<unsigned>(bytes) + 1};
}

Result<std::string> text_after(const Json& change, std::string text, ColumnUnit unit) {
  const auto& written = change.at("text").get_ref<const std::string&>();
  const auto range = change.value("range", Json());
  if (range.is_null()) return written;
  Source source{"", std::move(text)};
  const auto start = position_from(range.at("start"));
  const auto begin = offset_in(start, source, unit);
  const auto end = offset_in(position_from(range.at("end")), source, unit);
  if (!begin || !end || *end < *begin)
    return Error{fmt::format("a change at line {} does not fit the text", start.line + 1)};
  source.text.replace(*begin, *end - *begin, written);
  return std::move(source.text);
}

}  // namespace msci
