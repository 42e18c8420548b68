#include "base/text.h"

#include <gtest/gtest.h>

#include <array>

namespace msci {
namespace {

TEST(Lines, are_found_by_number) {
  EXPECT_EQ(line_at("one\ntwo\r\nthree", 1), "one");
  EXPECT_EQ(line_at("one\ntwo\r\nthree", 2), "two");
  EXPECT_EQ(line_at("one\ntwo\r\nthree", 3), "three");
  EXPECT_EQ(line_at("one\ntwo\r\nthree", 4), "");
}

TEST(Trimmed, has_no_white_space_at_its_ends) {
  EXPECT_EQ(trimmed(" \t\r\n\v\fa \n b\f\v\n\r\t "), "a \n b");
  EXPECT_EQ(trimmed("a"), "a");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(LowerCase, changes_the_letters_a_to_z) {
  EXPECT_EQ(lower_case("AZ az @[`{ 09 \u00c9"), "az az @[`{ 09 \u00c9");
  EXPECT_EQ(lower_case(""), "");
}

TEST(Nearest, is_near) {
  constexpr std::array<std::string_view, 3> words{"select", "ignore", "severity"};
  EXPECT_EQ(nearest("selct", words), "select");
  EXPECT_EQ(nearest("serverity", words), "severity");
  EXPECT_EQ(nearest("exclude", words), "");
  EXPECT_EQ(nearest("", words), "");
}

TEST(NearestIds, have_the_name_or_its_words) {
  constexpr std::array<std::string_view, 7> ids{
      "check.race",         "hazard",         "hazard.simd_race", "hazard.threadgroup_race",
      "metal.double_trace", "metal.restrict", "slow.race_free"};
  using Ids = std::vector<std::string>;
  EXPECT_EQ(nearest_ids("race", ids), Ids{"check.race"});
  EXPECT_EQ(nearest_ids("hazard.restrict", ids), Ids{"metal.restrict"});
  EXPECT_EQ(nearest_ids("metal.restict", ids), Ids{"metal.restrict"});
  EXPECT_EQ(nearest_ids("hazrd", ids), Ids{"hazard"});
  EXPECT_EQ(nearest_ids("restict", ids), Ids{"metal.restrict"});
  const std::span without_check = std::span(ids).subspan(1);
  EXPECT_EQ(nearest_ids("hazard.race", without_check),
            (Ids{"hazard.simd_race", "hazard.threadgroup_race"}));
  EXPECT_EQ(nearest_ids("metal.race_free_threads", without_check), Ids{});
  EXPECT_EQ(nearest_ids("metal.race", without_check),
            (Ids{"hazard.simd_race", "hazard.threadgroup_race", "slow.race_free"}));
  EXPECT_EQ(nearest_ids("xyzzy", ids), Ids{});
  EXPECT_EQ(nearest_ids("", ids), Ids{});
  EXPECT_EQ(nearest_ids("hazard.", ids), Ids{});
}

TEST(DidYouMean, lists_all_words) {
  using Ids = std::vector<std::string>;
  EXPECT_EQ(did_you_mean(Ids{}), "");
  EXPECT_EQ(did_you_mean("a"), "; did you mean \"a\"?");
  EXPECT_EQ(did_you_mean(Ids{"a", "b", "c"}), "; did you mean \"a\", \"b\" or \"c\"?");
}

TEST(Utf8, is_made_valid) {
  EXPECT_EQ(valid_utf8("a\xc3\xa9\xe2\x82\xac\tb\n"), "a\xc3\xa9\xe2\x82\xac\tb\n");
  EXPECT_EQ(valid_utf8("a\xff"), "a\xef\xbf\xbd");
  EXPECT_EQ(valid_utf8("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(valid_utf8("\x1b[2J"), "\xef\xbf\xbd[2J");
  EXPECT_EQ(valid_utf8("\u009b2J\u202e\u2028"), "\ufffd2J\ufffd\ufffd");
}

TEST(Utf8, is_counted_in_characters) {
  EXPECT_EQ(characters_in("a\xc3\xa9\xe2\x82\xac"), 3u);
  EXPECT_EQ(characters_in("\xff\xfe"), 2u);
}

TEST(Text, shows_nothing_that_a_terminal_obeys) {
  EXPECT_EQ(printable("a\tb \u00e9 \u4e2d"), "a\tb \u00e9 \u4e2d");
  EXPECT_EQ(printable("\033[31m\r\n\x7f"), "?[31m???");
  EXPECT_EQ(printable("\u009b31m \u202etxt\u2066 \u200f"), "?31m ?txt? ?");
  EXPECT_EQ(printable("a\u2028b\u2029"), "a?b?");
}

TEST(Text, shows_no_command_to_ci) {
  EXPECT_EQ(printable("::warning::x"), "?:warning::x");
  EXPECT_EQ(printable(" \t::error::x"), " \t?:error::x");
  EXPECT_EQ(printable("metal::max(a, b)"), "metal::max(a, b)");
  EXPECT_EQ(printable("a ##[error]b ##vso[task.x]"), "a ?#[error]b ?#vso[task.x]");
}

}  // namespace
}  // namespace msci
