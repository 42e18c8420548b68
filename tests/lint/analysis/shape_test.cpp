#include "lint/analysis/shape.h"

#include <clang/AST/Expr.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/lint/analysis/test_kernel.h"

namespace msci {
namespace {

TEST(DivergenceByShape, is_less_than_that_of_the_operands_for_known_shapes) {
  constexpr std::optional<Divergence> unknown;
  constexpr std::pair<std::string_view, std::optional<Divergence>> cases[] = {
      {"t / 32", Divergence::simdgroup},
      {"t / 64", Divergence::simdgroup},
      {"t / 16", unknown},
      {"t / width", Divergence::simdgroup},
      {"t / n", unknown},
      {"t >> 5", Divergence::simdgroup},
      {"t >> 4", unknown},
      {"t & 32", Divergence::simdgroup},
      {"t & 31", unknown},
      {"t < 64", Divergence::simdgroup},
      {"64 > t", Divergence::simdgroup},
      {"t <= 63", Divergence::simdgroup},
      {"t <= 64", unknown},
      {"t < 0", unknown},
      {"t < width", Divergence::simdgroup},
      {"p.x / 32", unknown},
      {"q.x / 32", unknown},
      {"(q.y * size.x + q.x) / 32", Divergence::simdgroup},
      {"(q.x + size.x * q.y) / 32", Divergence::simdgroup},
      {"(q.y * size.y + q.x) / 32", unknown},
      {"p.x - q.x", Divergence::none},
      {"p.x - q.y", unknown},
      {"p.x / size.x", Divergence::none},
      {"p.x / size.y", unknown},
      {"p.x + q.x", unknown},
  };
  for (const auto& [expression, divergence] : cases) {
    const auto kernel = kernel_with(fmt::format("auto v = {};", expression));
    const auto* operation =
        llvm::dyn_cast<clang::BinaryOperator>(kernel.value_of("v")->IgnoreParenImpCasts());
    ASSERT_NE(operation, nullptr) << expression;
    EXPECT_EQ(divergence_by_shape(*operation, kernel.flow()), divergence) << expression;
  }
}

TEST(DivergenceByShape, looks_through_variables_with_one_value) {
  const auto kernel = kernel_with(R"(
      uint index = t;
      uint lanes = 32;
      uint changed = t;
      changed += 1;
      uint v = index / 32;
      uint u = index / lanes;
      uint w = changed / 32;)");
  const auto shape = [&](std::string_view name) {
    return divergence_by_shape(
        *llvm::cast<clang::BinaryOperator>(kernel.value_of(name)->IgnoreParenImpCasts()),
        kernel.flow());
  };
  EXPECT_EQ(shape("v"), Divergence::simdgroup);
  EXPECT_EQ(shape("w"), std::nullopt);
  EXPECT_EQ(shape("u"), std::nullopt);  // `lanes` is not a constant expression
}

}  // namespace
}  // namespace msci
