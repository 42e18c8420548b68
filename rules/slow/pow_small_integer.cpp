#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

constexpr double largest_power = 4;

}  // namespace

extern constinit const Rule pow_small_integer{
    .severity = Severity::note,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto calls =
              callExpr(callee(functionDecl(hasAnyName("pow", "powr"))), argumentCountIs(2))
                  .bind("call");
          for (const auto& found : match_as_written(calls, unit)) {
            const auto& call = *found.getNodeAs<clang::CallExpr>("call");
            if (unit.is_users(call.getDirectCallee()->getLocation())) continue;
            clang::Expr::EvalResult result;
            const auto* power = call.getArg(1);
            if (power->isValueDependent() || !power->EvaluateAsRValue(result, unit.ast()) ||
                !result.Val.isFloat())
              continue;
            const double value = result.Val.getFloat().convertToDouble();
            if (value < 2 || value > largest_power || value != static_cast<int>(value)) continue;
            report(call.getSourceRange(),
                   fmt::format(
                       "the power {} is a product of few factors, and the product is much faster",
                       static_cast<int>(value)));
          }
        },
};

}  // namespace msci
