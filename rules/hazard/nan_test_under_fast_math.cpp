#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "lint/analysis/expressions.h"
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

// The operands of a chain of `&&`.
void add_operands(const clang::Expr& condition, std::vector<const clang::Expr*>& operands) {
  const auto* e = condition.IgnoreParenImpCasts();
  const auto* both = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!both || both->getOpcode() != clang::BO_LAnd) return operands.push_back(e);
  add_operands(*both->getLHS(), operands);
  add_operands(*both->getRHS(), operands);
}

// Of `!isnan(x)`: the call.
const clang::CallExpr* refuted_test(const clang::Expr& operand) {
  const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(&operand);
  if (!negation || negation->getOpcode() != clang::UO_LNot) return nullptr;
  const auto* call = llvm::dyn_cast<clang::CallExpr>(negation->getSubExpr()->IgnoreParenImpCasts());
  const auto* callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->getName() == "isnan" && call->getNumArgs() == 1 ? call : nullptr;
}

bool orders(const clang::Expr& operand, const clang::Expr& value, const clang::ASTContext& ast) {
  const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(&operand);
  return comparison && comparison->isRelationalOp() &&
         (is_same(*comparison->getLHS(), value, ast) || is_same(*comparison->getRHS(), value, ast));
}

// `!isnan(x) && x > y`: the comparison is false for a NaN without the test.
std::set<const clang::CallExpr*> needless_tests(const Unit& unit) {
  std::set<const clang::CallExpr*> calls;
  for (const auto& found : match(binaryOperator(hasOperatorName("&&")).bind("both"), unit)) {
    std::vector<const clang::Expr*> operands;
    add_operands(*found.getNodeAs<clang::Expr>("both"), operands);
    for (const auto* operand : operands) {
      const auto* call = refuted_test(*operand);
      if (call && std::any_of(operands.begin(), operands.end(), [&](const clang::Expr* other) {
            return orders(*other, *call->getArg(0), unit.ast());
          }))
        calls.insert(call);
    }
  }
  return calls;
}

}  // namespace

extern constinit const Rule nan_test_under_fast_math{
    .severity = Severity::note,
    .check =
        [](const Unit& unit, Reporter& report) {
          // The front end tells Clang of fast math by this and similar options.
          if (!unit.ast().getLangOpts().ApproxFunc) return;
          const auto calls =
              callExpr(callee(functionDecl(hasAnyName("isnan", "isinf", "isfinite", "isunordered"))
                                  .bind("callee")))
                  .bind("call");
          const auto needless = needless_tests(unit);
          for (const auto& found : match(calls, unit)) {
            if (needless.contains(found.getNodeAs<clang::CallExpr>("call"))) continue;
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
