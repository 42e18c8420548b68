#include "lint/analysis/shape.h"

#include <clang/AST/Expr.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/lint/analysis/test_kernel.h"

namespace msci {
namespace {

TEST(VariationByShape, is_less_than_that_of_the_operands_for_known_shapes) {
  constexpr std::optional<Variation> unknown;
  constexpr std::pair<std::string_view, std::optional<Variation>> cases[] = {
      {"t / 32", Variation::simdgroup},
      {"t / 64", Variation::simdgroup},
      {"t / 16", unknown},
      {"t / width", Variation::simdgroup},
      {"t / n", unknown},
      {"t >> 5", Variation::simdgroup},
      {"t >> 4", unknown},
      {"t & 32", Variation::simdgroup},
      {"t & 31", unknown},
      {"t < 64", Variation::simdgroup},
      {"64 > t", Variation::simdgroup},
      {"t <= 63", Variation::simdgroup},
      {"t <= 64", unknown},
      {"t < 0", unknown},
      {"t < width", Variation::simdgroup},
      {"p.x / 32", unknown},
      {"q.x / 32", unknown},
      {"(q.y * size.x + q.x) / 32", Variation::simdgroup},
      {"(q.x + size.x * q.y) / 32", Variation::simdgroup},
      {"(q.y * size.y + q.x) / 32", unknown},
      {"p.x - q.x", Variation::none},
      {"p.x - q.y", unknown},
      {"p.x / size.x", Variation::none},
      {"p.x / size.y", unknown},
      {"p.x + q.x", unknown},
  };
  for (const auto& [expression, variation] : cases) {
    const auto kernel = kernel_with(fmt::format("auto v = {};", expression));
    const auto* operation =
        llvm::dyn_cast<clang::BinaryOperator>(kernel.value_of("v")->IgnoreParenImpCasts());
    ASSERT_NE(operation, nullptr) << expression;
    EXPECT_EQ(variation_by_shape(*operation, kernel.flow()), variation) << expression;
  }
}

TEST(VariationByShape, looks_through_variables_with_one_value) {
  const auto kernel = kernel_with(R"(
      uint index = t;
      uint lanes = 32;
      uint changed = t;
      changed += 1;
      uint v = index / 32;
      uint u = index / lanes;
      uint w = changed / 32;)");
  const auto shape = [&](std::string_view name) {
    return variation_by_shape(
        *llvm::cast<clang::BinaryOperator>(kernel.value_of(name)->IgnoreParenImpCasts()),
        kernel.flow());
  };
  EXPECT_EQ(shape("v"), Variation::simdgroup);
  EXPECT_EQ(shape("w"), std::nullopt);
  EXPECT_EQ(shape("u"), std::nullopt);  // `lanes` is not a constant expression
}

}  // namespace
}  // namespace msci
