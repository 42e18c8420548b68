
#include "lint/analysis/matchers.h"

#include <clang/AST/ASTContext.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lint/analysis/expressions.h"
#include "tests/lint/analysis/test_kernel.h"

namespace msci {
namespace {

TEST(Space, is_read_from_types) {
  const auto kernel =
      kernel_with("threadgroup float tile[4]; float own[4]; tile[0] = 0; own[0] = 0; uint v = 0;");
  const auto pointee = [&](std::string_view name) {
    const auto type = kernel.parameter(name)->getType();
    return space_of(type->isReferenceType() ? type.getNonReferenceType() : type->getPointeeType());
  };
  EXPECT_EQ(pointee("a"), Space::device);
  EXPECT_EQ(pointee("n"), Space::constant);
  EXPECT_EQ(space_of(kernel.variable("tile")->getType()), Space::threadgroup);
  EXPECT_EQ(space_of(kernel.variable("own")->getType()), Space::thread);
}

TEST(IsSame, ignores_parentheses_around_an_expression) {
  const std::pair<std::pair<std::string_view, std::string_view>, bool> cases[] = {
      {{"t + 1", "(t + 1)"}, true}, {{"a[t]", "((a[t]))"}, true}, {{"t + 1", "1 + t"}, false},
      {{"t + 1", "t + 2"}, false},  {{"p.x", "p.y"}, false},
  };
  for (const auto& [expressions, same] : cases) {
    const auto kernel = kernel_with(
        fmt::format("auto v = {}; auto w = {};", expressions.first, expressions.second));
    EXPECT_EQ(is_same(*kernel.value_of("v"), *kernel.value_of("w"), kernel.unit().ast()), same)
        << expressions.first << ", " << expressions.second;
  }
}

TEST(ConstantOf, is_the_value_of_constant_integers) {
  constexpr std::pair<std::string_view, std::optional<std::int64_t>> cases[] = {
      {"6 * 7", 42}, {"-3", -3}, {"(1 << 4) - 1", 15}, {"n", std::nullopt}, {"1.5f", std::nullopt},
  };
  for (const auto& [expression, value] : cases) {
    const auto kernel = kernel_with(fmt::format("auto v = {};", expression));
    EXPECT_EQ(constant_of(kernel.value_of("v"), kernel.unit().ast()), value) << expression;
  }
  EXPECT_EQ(constant_of(nullptr, kernel_with("").unit().ast()), std::nullopt);
}

TEST(Match, finds_nodes_in_the_order_of_the_source) {
  using namespace clang::ast_matchers;
  const auto kernel = kernel_with("uint second = n; { uint first = t; } uint third = 0;");
  // As lint() does: rules see the user's text only.
  auto& ast = kernel.unit().ast();
  ast.setTraversalScope({const_cast<clang::FunctionDecl*>(kernel.kernel().declaration)});
  std::string names;
  for (const auto& each : match(varDecl(unless(parmVarDecl())).bind("variable"), kernel.unit()))
    names += each.getNodeAs<clang::VarDecl>("variable")->getNameAsString() + " ";
  EXPECT_EQ(names, "second first third ");
}

}  // namespace
}  // namespace msci
