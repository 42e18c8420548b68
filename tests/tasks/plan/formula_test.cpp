// Formulas of plan files: their values, and the errors for wrong ones.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tasks/plan/file/plan_numbers.h"

namespace msci {
namespace {

std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text + "1";
}

Result<std::int64_t> evaluate(std::string_view text) {
  return evaluate_formula(text, [](std::string_view name) -> Result<std::int64_t> {
    if (name == "n") return 10;
    if (name == "zero") return 0;
    return Error{"'" + std::string(name) + "' is unknown"};
  });
}

TEST(Formula, has_the_value_that_C_gives_it) {
  const std::pair<const char*, std::int64_t> cases[] = {
      {"7", 7},
      {"4*n + 1", 41},
      {"1 + 4*n", 41},
      {"n - 3 - 2", 5},
      {"n / 3", 3},
      {"-n / 3", -3},
      {"n % 4", 2},
      {"n / 3 * 3", 9},
      {"(n + 2) * (n - 2)", 96},
      {"1 << n", 1024},
      {"1 << 2 + 1", 8},
      {"n >> 1", 5},
      {"n < 11", 1},
      {"n <= 9", 0},
      {"n == 10 && n != 9", 1},
      {"!n || zero", 0},
      {"n > 5 ? n > 8 ? 1 : 2 : 3", 1},
      {"zero ? 1 / zero : 4", 4},
      {"zero && 1 / zero", 0},
      {"n || 1 / zero", 1},
      {"min(n, 3, 7)", 3},
      {"max(n, 3)", 10},
      {"ceil(n / 3)", 4},
      {"ceil(n / 5)", 2},
      {"ceil((n + 1) / (1 << 2))", 3},
      {"ceil(n)", 10},
      {"log2(n)", 3},
      {"log2(2*n - 1)", 4},
      {"log2(1)", 0},
      {"999999999999999999", 999999999999999999},
      {"1000000000000000001", 1000000000000000001},
      {"9223372036854775807", INT64_MAX},
      {"-9223372036854775807 - 1", INT64_MIN},
      {"0000000000000000000007", 7},
  };
  for (const auto& [text, expected] : cases) {
    const auto value = evaluate(text);
    ASSERT_TRUE(value) << text << ": " << value.error().message;
    EXPECT_EQ(*value, expected) << text;
  }
}

std::optional<SizedNumber> growth(std::string_view text) {
  return growth_of_formula(text, "n", [](std::string_view name) -> Result<std::int64_t> {
    if (name == "n") return 40;
    if (name == "m") return 6;
    return Error{"'" + std::string(name) + "' is unknown"};
  });
}

TEST(Formula, grows_as_its_values_do) {
  for (const char* text :
       {"7", "n", "4*n + 1", "m*n - n - 3", "n << 3", "(n + 63) / 64", "64*((n+63)/64)",
        "ceil(n / 64) * 64", "ceil((2*n + 1) / 16) * 4 + 8", "n / 4", "n / 2 / 3", "(4*n - 1) / 4",
        "ceil((4*n - 1) / 4)", "(4*n + 3) / 4 * 4 + 0", "m > 5 ? n + 1 : n % 5", "max(m, 9) * n",
        "-(3 - n)", "!m + n"}) {
    const auto number = growth(text);
    ASSERT_TRUE(number) << text;
    for (std::int64_t n = 1; n < 300; ++n) {
      const auto value = evaluate_formula(
          text, [&](std::string_view name) -> Result<std::int64_t> { return name == "n" ? n : 6; });
      ASSERT_TRUE(value) << text;
      EXPECT_EQ(number->at(n), *value) << text << " at " << n;
    }
  }
}

TEST(Formula, grows_in_no_certain_way) {
  for (const char* text :
       {"n * n", "n % 8", "min(n, 100000)", "n > 50 ? 2 : 1", "n > 5 ? n : n", "n + n / 64",
        "1 << n", "log2(n)", "m / n", "(n - 64) / 8", "n && m", "n - n / 64", "n >> 1", "!n",
        "n + other", "n / 64 * 3 / 2", "n +", "4000000000000000000 * n * 4"})
    EXPECT_FALSE(growth(text)) << text;
}

TEST(Formula, an_error_says_what_is_wrong) {
  const std::pair<std::string, std::string> cases[] = {
      {"4*m", "'m' is unknown"},
      {"0x10", "'0x10' is unknown"},
      {"4 n", "unexpected 'n' in the formula \"4 n\""},
      {"4*", "the formula \"4*\" ends too early"},
      {"(n", "the formula \"(n\" ends too early"},
      {"n)", "unexpected ')' in the formula \"n)\""},
      {"n ? 1", "the formula \"n ? 1\" ends too early"},
      {"n & 3", "unexpected '&' in the formula \"n & 3\""},
      {"1 / zero", "division by zero in the formula \"1 / zero\""},
      {"1 % zero", "division by zero in the formula \"1 % zero\""},
      {"1 << 63", "a shift by 63 in the formula \"1 << 63\""},
      {"1 << -1", "a shift by -1 in the formula \"1 << -1\""},
      {"n << 62", "the number is too large"},
      {"999999999999999999 * n", "the number is too large"},
      {"9223372036854775808",
       "9223372036854775808 in the formula \"9223372036854775808\" is above 9223372036854775807, "
       "the largest number of formulas"},
      {"1 + " + std::string(100, '9'),
       std::string(40, '9') + "... in the formula \"1 + " + std::string(36, '9') +
           "...\" is above 9223372036854775807, the largest number of formulas"},
      {"log2(zero)", "log2 of 0 in the formula \"log2(zero)\""},
      {"log2(1, 2)", "log2 takes one number"},
      {"min(1)", "min takes two numbers or more"},
      {"ceil(n / 3 + 1)",
       "ceil rounds one quotient up, as in ceil(n/2) + 1; in the formula \"ceil(n / 3 + 1)\", a "
       "quotient inside of it is rounded down before"},
      {repeated("1?1:", 100'000),
       "the formula \"1?1:1?1:1?1:1?1:1?1:1?1:1?1:1?1:1?1:1?1:...\" is nested too deeply"},
      {repeated("1?", 100'000),
       "the formula \"1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?...\" is nested too deeply"},
      {std::string(100, '(') + "n",
       "the formula \"" + std::string(40, '(') + "...\" is nested too deeply"},
  };
  for (const auto& [text, expected] : cases) {
    const auto value = evaluate(text);
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().message, expected) << text;
  }
}

}  // namespace
}  // namespace msci
