#include "lint/analysis/indices/lane_stride.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/lint/analysis/test_kernel.h"

namespace msci {
namespace {

TEST(LaneStride, is_the_distance_of_neighbouring_threads) {
  constexpr std::pair<std::string_view, std::string_view> cases[] = {
      {"p.x", "1"},
      {"t", "1"},
      {"lane", "1"},
      {"4 * t + 2", "4"},
      {"p.x * n + 3", "n"},
      {"p.y * n + p.x", "1"},
      {"p.x * n + p.y", "n"},
      {"p.y", "0"},
      {"sg * 32 + lane", "1"},
      {"group.x * 64 + n", "0"},
      {"n - t", "-1"},
      {"t * t", "unknown"},
      {"t ^ 1", "unknown"},
      {"p.x * q.x", "unknown"},
  };
  for (const auto& [expression, expected] : cases) {
    const auto kernel = kernel_with(fmt::format("uint v = {};", expression));
    const auto stride = lane_stride(index_form(kernel.value_of("v"), kernel.flow()), kernel.flow());
    EXPECT_EQ(stride ? kernel.text(*stride) : "unknown", expected) << expression;
  }
}

SharedAccess only_access(const TestKernel& kernel, Space space) {
  const auto accesses = accesses_in(kernel.flow(), space).all;
  EXPECT_EQ(accesses.size(), 1u);
  return accesses.at(0);
}

TEST(Offset, counts_elements_of_the_innermost_dimension) {
  struct Case {
    std::string_view body, offset;
    std::int64_t bytes;
  };
  constexpr Case cases[] = {
      {"threadgroup float tile[8][33]; tile[q.y][q.x] = 0;", "33*q.y + q.x", 4},
      {"threadgroup half tile[2][3][4]; tile[1][q.y][q.x] = 0;", "4*q.y + q.x + 12", 2},
      {"threadgroup float4 tile[64]; tile[t + 1] = 0;", "t + 1", 16},
  };
  for (const auto& [body, offset, bytes] : cases) {
    const auto kernel = kernel_with(body);
    const auto access = only_access(kernel, Space::threadgroup);
    const auto form = offset_form(access, kernel.flow());
    ASSERT_TRUE(form) << body;
    EXPECT_EQ(kernel.text(*form), offset) << body;
    EXPECT_EQ(element_bytes(access, kernel.flow()), bytes) << body;
  }
}

TEST(Offset, of_a_plain_variable_is_unknown) {
  const auto kernel = kernel_with("threadgroup float total; total = 0;");
  EXPECT_FALSE(offset_form(only_access(kernel, Space::threadgroup), kernel.flow()));
}

TEST(ConsecutiveAxis, is_what_steps_from_one_element_to_the_next) {
  constexpr std::pair<std::string_view, std::string_view> cases[] = {
      {"p.x * n + k", "k"},
      {"p.x * n + p.y", "y"},
      {"p.x", "none"},
      {"p.x * n + 2 * k", "none"},
  };
  for (const auto& [expression, expected] : cases) {
    const auto kernel =
        kernel_with(fmt::format("for (uint k = 0; k < n; ++k) {{ uint v = {}; }}", expression));
    const auto axis =
        consecutive_axis(index_form(kernel.value_of("v"), kernel.flow()), kernel.flow());
    const auto name = !axis                ? "none"
                      : axis->text.empty() ? axis->variable->getNameAsString()
                                           : axis->text;
    EXPECT_EQ(name, expected) << expression;
  }
}

TEST(IsForFew, if_a_condition_leaves_a_known_number_of_threads) {
  constexpr std::pair<std::string_view, bool> cases[] = {
      {"t == 0", true},   {"t < 4", true},  {"4 > t", true},   {"t < n && lane == 1", true},
      {"p.x < n", false}, {"t > 4", false}, {"n == 3", false},
  };
  for (const auto& [condition, few] : cases) {
    const auto kernel = kernel_with(fmt::format("if ({}) a[p.x] = 0;", condition));
    EXPECT_EQ(is_for_few(only_access(kernel, Space::device), kernel.flow()), few) << condition;
  }
}

}  // namespace
}  // namespace msci
