// Conditions that an author assumes: how they are read, and what they say of numbers.
#include "tasks/plan/assumption/assumption.h"

#include <gtest/gtest.h>

#include "tasks/plan/program.h"

namespace msci {
namespace {

// The condition with n = 12, m = 5, length(x) = 100 and a grid of 64 x 8 threads.
std::optional<bool> with_numbers(const char* text) {
  const auto assumption = parse_assumption(text);
  if (!assumption) return ADD_FAILURE() << assumption.error().message, std::nullopt;
  return holds(*assumption, [](const AssumedNumber& number) -> std::optional<std::int64_t> {
    const auto name = to_string(number);
    if (name == "n") return 12;
    if (name == "m") return 5;
    if (name == "length(x)") return 100;
    if (name == "grid.x") return 64;
    if (name == "grid.y") return 8;
    return std::nullopt;
  });
}

TEST(Assumption, says_what_c_says_of_numbers) {
  for (const char* text : {"n % 4 == 0",
                           "n == 12",
                           "n != m",
                           "m < n && n < 13",
                           "n <= 12 && n >= 12",
                           "n > m || m > n",
                           "!(n < m)",
                           "n * m == 60",
                           "n - 2 * m == 2",
                           "(n + m) / 4 == 4",
                           "-n < 0",
                           "-n / 5 == -3",
                           "-n % 5 == 3",
                           "n",
                           "!0",
                           "0x0C == n",
                           "12u == n",
                           "length(x) >= n * 8",
                           "grid.x * grid.y == 512",
                           "1 + 1 == 2 && (2 < 3) == 1",
                           " n%4==0 "})
    EXPECT_EQ(with_numbers(text), true) << text;
  for (const char* text : {"n % 5 == 0", "n < 12", "n && m == 4", "!n", "0", "length(x) == grid.x"})
    EXPECT_EQ(with_numbers(text), false) << text;
  EXPECT_EQ(with_numbers("threadgroup.x == 32"), std::nullopt);
  EXPECT_EQ(with_numbers("k < n"), std::nullopt);
  // Of 128 bits, the least number has no opposite: 2^62 * 2^62 * 8 is 2^127.
  EXPECT_EQ(with_numbers("-(-4611686018427387904 * 4611686018427387904 * 8) > 0"), std::nullopt);
}

TEST(Assumption, names_the_column_of_a_mistake) {
  const auto complaint = [](const char* text) {
    const auto read = parse_assumption(text);
    return read ? std::string() : read.error().message;
  };
  EXPECT_EQ(
      complaint("n %% 4 == 0"),
      "the assumption `n %% 4 == 0` is not understood: column 4: expected a positive number to "
      "divide by, not `% 4 == 0`");
  EXPECT_EQ(complaint("n = 4"),
            "the assumption `n = 4` is not understood: column 3: expected an operator, not `= 4`");
  EXPECT_EQ(
      complaint("n % 0 == 1"),
      "the assumption `n % 0 == 1` is not understood: column 5: expected a positive number to "
      "divide by, not `0 == 1`");
  EXPECT_EQ(complaint("0 < n < 5"),
            "the assumption `0 < n < 5` is not understood: column 7: expected one comparison at a "
            "time, as in `0 < n && n < 5` or `(n < 5) == 1`, not `< 5`");
  for (const char* text : {"n < 65 == 1", "1 == n < 65", "n == m == 4", "n != m <= 4"})
    EXPECT_NE(complaint(text).find("expected one comparison at a time"), std::string::npos) << text;
  EXPECT_EQ(complaint("(n < 4) == (m < 4)"), "");
  EXPECT_NE(complaint("").find("column 1: expected a number or a name, not the end"),
            std::string::npos);
  EXPECT_NE(complaint("(n < 4").find("expected `)`"), std::string::npos);
  EXPECT_NE(complaint("grid.w == 1").find("expected x, y or z"), std::string::npos);
  EXPECT_NE(complaint("n % m == 0").find("expected a positive number"), std::string::npos);
  EXPECT_NE(complaint("n < 99999999999999999999").find("expected a number"), std::string::npos);
  EXPECT_NE(complaint(std::string(5000, '(').c_str()).find("fewer brackets"), std::string::npos);
  std::string products = "n", sums = "n";
  for (unsigned i = 0; i < 60; ++i) {
    products += " * n";
    sums += " + n";
  }
  EXPECT_NE(complaint((products + " > 1").c_str()).find("fewer operations"), std::string::npos);
  EXPECT_NE(complaint((sums + " > 1").c_str()).find("fewer operations"), std::string::npos);
}

TEST(Assumption, stands_in_comments) {
  const auto found = assumptions_in(
      {"k.metal",
       "// msci: assume(n % 4 == 0)\nint a;  //msci: assume((n < 8) && m)\n// assume(n)\n"});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ(found->at(0).text, "n % 4 == 0");
  EXPECT_EQ(found->at(0).place.range.begin, (Location{1, 17}));
  EXPECT_EQ(found->at(1).text, "(n < 8) && m");
  EXPECT_EQ(found->at(1).place.range.begin.line, 2U);
  const auto wrong = assumptions_in({"k.metal", "\n// msci: assume(n +)\n"});
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(wrong.error().message.starts_with("k.metal:2: the assumption `n +`"))
      << wrong.error().message;
}

TEST(Assumption, is_about_kernels_with_what_it_names) {
  const KernelSignature kernel{.name = "k",
                               .arguments = {{.name = "x", .type = "float4"},
                                             {.name = "n", .type = "uint"},
                                             {.name = "sizes", .type = "Sizes"}}};
  const auto about = [&](const char* text) { return is_about(*parse_assumption(text), kernel); };
  EXPECT_EQ(about("n % 4 == 0"), true);
  EXPECT_EQ(about("length(x) > n"), true);
  EXPECT_EQ(about("grid.x == 1"), true);
  EXPECT_EQ(about("m == 1"), false);
  EXPECT_EQ(about("x == 1"), false);
  EXPECT_EQ(misunderstanding(*parse_assumption("n == 1"), kernel), "");
  EXPECT_EQ(
      misunderstanding(*parse_assumption("x == 1"), kernel),
      "the assumption `x == 1` names `x` of the kernel k, whose type is float4, not an integer");
  EXPECT_FALSE(about("length(sizes) == 1"));
  EXPECT_NE(misunderstanding(*parse_assumption("length(sizes) == 1"), kernel), "");
  EXPECT_EQ(bytes_of_element("float3"), 16U);
  EXPECT_EQ(bytes_of_element("packed_float3"), 12U);
}

}  // namespace
}  // namespace msci
