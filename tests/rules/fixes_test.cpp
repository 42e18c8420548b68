// Which fixes are safe, where the page cannot say.
#include <gtest/gtest.h>

#include "lint/lint.h"
#include "rules/rules.h"

namespace msci {
namespace {

// Whether the first fix of the first finding is safe; nothing where there is no fix.
std::optional<bool> is_first_fix_safe(std::string text) {
  const auto report = examine({"kernel.metal", std::move(text)}, all_rules(), {});
  EXPECT_TRUE(report) << report.error().message;
  if (report->findings.empty() || report->findings.front().fixes.empty()) return std::nullopt;
  return report->findings.front().fixes.front().safe;
}

TEST(ReservedName, renames_safely_where_the_word_is_nothing_else) {
  EXPECT_EQ(is_first_fix_safe("uint f(uint n) {\n"
                              "  uint half = n / 2;\n"
                              "  return n < half ? n + half : n;  // half\n"
                              "}\n"
                              "uint g(uint half) { return 2 * half; }\n"),
            true);
}

TEST(ReservedName, only_proposes_where_the_word_is_a_type_elsewhere) {
  EXPECT_EQ(is_first_fix_safe("uint f(uint n) {\n"
                              "  uint half = n / 2;\n"
                              "  return n - half;\n"
                              "}\n"
                              "float g(half x) { return x; }\n"),
            false);
}

TEST(ReservedName, only_proposes_where_the_new_name_is_taken) {
  EXPECT_EQ(is_first_fix_safe("constant uint half_ = 3;\n"
                              "uint f(uint n) {\n"
                              "  uint half = n / 2;\n"
                              "  return n - half;\n"
                              "}\n"),
            false);
}

}  // namespace
}  // namespace msci
