#include "lint/analysis/indices/index_form.h"

#include <gtest/gtest.h>

#include "tests/lint/analysis/test_kernel.h"

namespace msci {
namespace {

struct FormCase {
  std::string_view expression;
  std::string_view form;
};

TEST(IndexForm, is_a_polynomial_over_what_the_expression_mentions) {
  constexpr FormCase cases[] = {
      {"3", "3"},
      {"7 * 6", "42"},
      {"t + 2 * t - 1", "3*t + -1"},
      {"p.x + p.y * n", "n*p.y + p.x"},
      {"(t << 4) + 16", "16*t + 16"},
      {"(t + 1) * (n - 1)", "-1*t + n + n*t + -1"},
      {"uint(int(t)) * 2", "2*t"},
      {"t - t", "0"},
      {"n * 0 + 5", "5"},
      {"p.r + p.g", "p.x + p.y"},  // colours are other names of components
      {"t % 7 + 1", "(t % 7) + 1"},
      {"t << n", "(t << n)"},
      {"t << 31", "(t << 31)"},
      {"min(t, n)", "(min(t, n))"},
  };
  for (const auto& [expression, form] : cases) {
    const auto kernel = kernel_with("uint v = " + std::string(expression) + ";");
    EXPECT_EQ(kernel.text(index_form(kernel.value_of("v"), kernel.flow())), form) << expression;
  }
}

TEST(IndexForm, replaces_variables_that_only_ever_hold_one_value) {
  const auto kernel = kernel_with(R"(
      uint row = p.y * n;
      uint3 same = p;
      uint changed = t;
      changed = 3;
      uint from_row = row + same.x;
      uint from_changed = changed + 1;)");
  EXPECT_EQ(kernel.text(index_form(kernel.value_of("from_row"), kernel.flow())), "n*p.y + p.x");
  EXPECT_EQ(kernel.text(index_form(kernel.value_of("from_changed"), kernel.flow())), "changed + 1");
}

TEST(IndexForm, splits_into_varying_uniform_and_constant_parts) {
  const auto kernel = kernel_with("uint v = 4 * n + t * n + group.x + 3;");
  const auto form = index_form(kernel.value_of("v"), kernel.flow());
  EXPECT_EQ(kernel.text(form.varying()), "n*t");
  EXPECT_EQ(kernel.text(form.uniform()), "4*n + group.x");
  EXPECT_EQ(form.constant(), 3);
  EXPECT_FALSE(form.is_constant());
  EXPECT_TRUE(constant_form(3).is_constant());
  EXPECT_TRUE(constant_form(0).is_constant());
}

TEST(IndexForm, is_fixed_unless_a_loop_changes_a_variable_of_it) {
  const auto kernel = kernel_with(R"(
      uint outside = t + n;
      uint v = outside;
      for (uint k = 0; k < n; ++k) {
        uint inside = k + t;
        uint w = inside;
      })");
  EXPECT_TRUE(index_form(kernel.value_of("v"), kernel.flow()).is_fixed());
  EXPECT_FALSE(index_form(kernel.value_of("w"), kernel.flow()).is_fixed());
}

TEST(IndexForm, recognises_the_simdgroup_and_the_lane_of_a_thread) {
  constexpr std::pair<std::string_view, Position> cases[] = {
      {"t / 32", Position::simdgroup}, {"t >> 5", Position::simdgroup},  {"t % 32", Position::lane},
      {"t & 31", Position::lane},      {"t / 16", Position::none},       {"t & 15", Position::none},
      {"p.x / 32", Position::none},    {"(t + 1) / 32", Position::none},
  };
  for (const auto& [expression, position] : cases) {
    const auto kernel = kernel_with("uint v = " + std::string(expression) + ";");
    const auto atoms = index_form(kernel.value_of("v"), kernel.flow()).atoms();
    ASSERT_EQ(atoms.size(), 1u) << expression;
    EXPECT_EQ(atoms.front().position, position) << expression;
  }
}

TEST(IndexForm, two_forms_are_equal_if_the_expressions_compute_the_same) {
  const auto kernel = kernel_with(R"(
      uint one = (p.y + 1) * n + p.x;
      uint other = n + p.x + n * p.y;
      uint different = n + p.x + p.y;
      uint hashed = (t ^ 3) + 1;
      uint hashed_again = 1 + (t ^ 3);
      uint v = 0;)");
  const auto form = [&](std::string_view name) {
    return index_form(kernel.value_of(name), kernel.flow());
  };
  EXPECT_EQ(form("one"), form("other"));
  EXPECT_FALSE(form("one") == form("different"));
  EXPECT_EQ(form("hashed"), form("hashed_again"));
}

}  // namespace
}  // namespace msci
