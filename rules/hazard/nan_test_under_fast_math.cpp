#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// What fast math lets the compiler take for granted about this call's answer.
std::optional<std::string_view> taken_for_granted(std::string_view name) {
  if (name == "isnan" || name == "isunordered") return "no value is a NaN";
  if (name == "isinf") return "no value is infinite";
  if (name == "isfinite") return "every value is finite";
  return std::nullopt;
}

}  // namespace

extern constinit const Rule nan_test_under_fast_math{
    .severity = Severity::note,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto calls =
              callExpr(callee(functionDecl(hasAnyName("isnan", "isinf", "isfinite", "isunordered"))
                                  .bind("callee")))
                  .bind("call");
          for (const auto& found : match(calls, unit)) {
            const auto& callee = *found.getNodeAs<clang::FunctionDecl>("callee");
            if (unit.is_users(callee.getLocation())) continue;
            if (const auto granted = taken_for_granted(callee.getNameAsString()))
              report(found.getNodeAs<clang::CallExpr>("call")->getSourceRange(),
                     fmt::format("fast math, the default, assumes that {} and may remove this test",
                                 *granted));
          }
          const auto itself =
              binaryOperator(hasAnyOperatorName("!=", "=="),
                             hasLHS(ignoringParenImpCasts(declRefExpr(
                                 to(varDecl(hasType(realFloatingPointType())).bind("variable"))))),
                             hasRHS(ignoringParenImpCasts(
                                 declRefExpr(to(varDecl(equalsBoundNode("variable")))))))
                  .bind("test");
          for (const auto& found : match(itself, unit))
            report(
                found.getNodeAs<clang::BinaryOperator>("test")->getSourceRange(),
                "fast math, the default, assumes that no value is a NaN and may remove this test");
        },
};

}  // namespace msci
