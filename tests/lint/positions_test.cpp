#include <gtest/gtest.h>

#include "base/text.h"
#include "lint/ide/protocol/replies.h"

namespace msci {
namespace {

// Bytes: a 1, é 2, € 3, 😀 4 (two units of UTF-16).
const Source source{"s", "abc\r\na\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z\n\n\xFFz"};

struct Case {
  Location location;
  EditorPosition bytes;
  EditorPosition utf16;
};

TEST(Positions, count_from_zero_in_the_units_that_were_agreed_on) {
  const Case cases[] = {
      {{1, 1}, {0, 0}, {0, 0}}, {{1, 4}, {0, 3}, {0, 3}},   {{2, 2}, {1, 1}, {1, 1}},
      {{2, 4}, {1, 3}, {1, 2}}, {{2, 7}, {1, 6}, {1, 3}},   {{2, 11}, {1, 10}, {1, 5}},
      {{3, 1}, {2, 0}, {2, 0}}, {{2, 12}, {1, 11}, {1, 6}}, {{4, 2}, {3, 1}, {3, 1}}};
  for (const auto& [location, bytes, utf16] : cases) {
    const auto line = line_at(source.text, location.line);
    EXPECT_EQ(columns_before(location.column - 1, line, ColumnUnit::byte), bytes.column);
    EXPECT_EQ(columns_before(location.column - 1, line, ColumnUnit::utf16), utf16.column);
    EXPECT_EQ(location_of(bytes, source, ColumnUnit::byte), location);
    EXPECT_EQ(location_of(utf16, source, ColumnUnit::utf16), location);
  }
}

TEST(Positions, count_characters) {
  for (const auto& [location, column] :
       {std::pair(Location{2, 7}, 3u), {{2, 11}, 4u}, {{2, 12}, 5u}}) {
    const auto line = line_at(source.text, location.line);
    EXPECT_EQ(columns_before(location.column - 1, line, ColumnUnit::character), column);
    EXPECT_EQ(location_of({1, column}, source, ColumnUnit::character), location);
  }
}

TEST(Positions, beyond_the_end_are_the_end) {
  EXPECT_EQ(location_of({0, 99}, source, ColumnUnit::utf16), (Location{1, 4}));
  EXPECT_EQ(location_of({0, 99}, source, ColumnUnit::byte), (Location{1, 4}));
  EXPECT_EQ(location_of({1, 99}, source, ColumnUnit::utf16), (Location{2, 12}));
  EXPECT_EQ(columns_before(98, line_at(source.text, 1), ColumnUnit::utf16), 3u);
  EXPECT_EQ(location_of({1, 4}, source, ColumnUnit::utf16), (Location{2, 7}));  // inside of a pair
}

}  // namespace
}  // namespace msci
