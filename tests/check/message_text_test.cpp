// Formats of messages, also those that no kernel should have.
#include <gtest/gtest.h>

#include <bit>

#include "evaluator/check/checked_run.h"

namespace msci {
namespace {

using Type = MessageArgument::Type;

constexpr MessageArgument signed_word{Type::signed_integer, 4, 1};
constexpr MessageArgument unsigned_word{Type::unsigned_integer, 4, 1};
constexpr MessageArgument number{Type::floating, 4, 1};

std::string text(const std::string& format, std::vector<MessageArgument> arguments = {},
                 std::vector<std::uint64_t> words = {}) {
  return message_text({.text = format, .arguments = std::move(arguments)}, words);
}

std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

TEST(MessageText, prints_as_printf_does) {
  const auto minus_one = ~std::uint64_t{0};
  EXPECT_EQ(
      text("%d %u %x", {signed_word, signed_word, signed_word}, {minus_one, minus_one, minus_one}),
      "-1 4294967295 ffffffff");
  EXPECT_EQ(text("[%+.2e|%-9g|%9.3f|%a]", {number, number, number, number},
                 {bits(1.5f), bits(0.1f), bits(-2), bits(1)}),
            "[+1.50e+00|0.1      |   -2.000|0x1p+0]");
  EXPECT_EQ(
      text("%*d|%.*f", {signed_word, signed_word, signed_word, number}, {5, 42, 1, bits(2.25f)}),
      "   42|2.2");
  EXPECT_EQ(text("%hhd %hd %hld %lld %o %i", std::vector(6, unsigned_word),
                 {255, 65535, 0xffffffff, 0xffffffff, 8, 3}),
            "-1 -1 -1 4294967295 10 3");
  EXPECT_EQ(text("100%% %c%c %p", std::vector(3, unsigned_word), {'o', 'k', 0x1000}),
            "100% ok 0x1000");
}

TEST(MessageText, shows_a_value_as_what_it_is) {
  EXPECT_EQ(text("%d", {number}, {bits(0.5f)}), "0.5");
  EXPECT_EQ(text("%.1f", {signed_word}, {~std::uint64_t{2}}), "-3.0");
  EXPECT_EQ(text("%d", {{Type::signed_integer, 4, 3}}, {1, 2, 3}), "1,2,3");
  EXPECT_EQ(text("%v4d", {{Type::signed_integer, 4, 2}}, {1, 2}), "1,2");
}

TEST(MessageText, marks_what_is_not_known) {
  EXPECT_EQ(text("%d and %f"), "? and ?");
  EXPECT_EQ(text("%d", {{Type::other, 0, 0}}), "?");
  EXPECT_EQ(text("%v2d", {{Type::signed_integer, 4, 2}}, {1}), "1,?");
  EXPECT_EQ(text("%*d", {}, {}), "?");
}

TEST(MessageText, survives_hostile_formats) {
  EXPECT_EQ(text("%"), "%");
  EXPECT_EQ(text("%{"), "%{");
  EXPECT_EQ(text("%{public"), "%{public");
  EXPECT_EQ(text("%n%y%-+ #0", {signed_word}, {1}), "%n%y%-+ #0");
  EXPECT_EQ(text("%9999999999999d", {signed_word}, {1}).size(), 100u);
  EXPECT_EQ(text("%.999999999f", {number}, {bits(3e38f)}).size(), 140u);
  EXPECT_EQ(text("%-------------------8d|", {signed_word}, {1}), "1       |");
  EXPECT_EQ(text("%*d", {signed_word, signed_word}, {~std::uint64_t{0}, 1}).size(), 100u);
  EXPECT_EQ(text(std::string(5000, 'x')), std::string(1000, 'x') + "...");
  std::string umlauts;
  for (int i = 0; i < 1000; ++i) umlauts += "\u00fc";
  EXPECT_EQ(text("." + umlauts), "." + umlauts.substr(0, 998) + "...");
  EXPECT_EQ(text("line\n\n"), "line");
}

}  // namespace
}  // namespace msci
