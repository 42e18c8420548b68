#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>
#include <fmt/format.h>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/thread_flow.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// Whether code says 0 itself. A constant with a name may have other values elsewhere.
bool is_literal_zero(const clang::Expr& value) {
  const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(value.IgnoreParenCasts());
  return literal && literal->getValue() == 0;
}

bool is_unsigned(const clang::Expr& value) {
  const auto type = value.getType();
  return !type->isDependentType() && !type->isBooleanType() && type->isUnsignedIntegerType();
}

// `a - b` of unsigned numbers that the code does not know.
const clang::BinaryOperator* difference_in(const clang::Expr& value, const clang::ASTContext& ast) {
  const auto* whole = llvm::dyn_cast<clang::BinaryOperator>(value.IgnoreParenImpCasts());
  if (!whole || whole->getOpcode() != clang::BO_Sub || !is_unsigned(*whole)) return nullptr;
  const bool is_known = whole->getLHS()->isInstantiationDependent() ||
                        whole->getRHS()->isInstantiationDependent() || whole->isEvaluatable(ast);
  return is_known ? nullptr : whole;
}

bool is_same_value(const clang::Expr& a, const clang::Expr& b, const clang::ASTContext& ast) {
  return is_same(*a.IgnoreParenImpCasts(), *b.IgnoreParenImpCasts(), ast);
}

// Whether a condition around the place compares the two numbers, so that the difference may be
// known not to wrap.
bool are_compared(const clang::BinaryOperator& difference, const Unit& unit) {
  const auto comparisons =
      binaryOperator(hasAnyOperatorName("<", "<=", ">", ">=")).bind("comparison");
  for (const auto& found : match_as_written(comparisons, unit)) {
    const auto& each = *found.getNodeAs<clang::BinaryOperator>("comparison");
    const auto& ast = unit.ast();
    const auto *a = difference.getLHS(), *b = difference.getRHS();
    if ((is_same_value(*each.getLHS(), *a, ast) && is_same_value(*each.getRHS(), *b, ast)) ||
        (is_same_value(*each.getLHS(), *b, ast) && is_same_value(*each.getRHS(), *a, ast)))
      return true;
  }
  return false;
}

// `a - b > 0`, `a - b >= 0`, `a - b < 0`, and the other way round.
void check_comparison(const clang::BinaryOperator& comparison, const Unit& unit, Reporter& report) {
  const auto& ast = unit.ast();
  auto operation = comparison.getOpcode();
  const auto *left = comparison.getLHS(), *right = comparison.getRHS();
  if (is_literal_zero(*left)) {
    std::swap(left, right);
    operation = clang::BinaryOperator::reverseComparisonOp(operation);
  }
  if (!is_literal_zero(*right)) return;
  const auto* difference = difference_in(*left, ast);
  if (!difference) return;
  if (operation == clang::BO_GE || operation == clang::BO_LT)
    report(comparison.getSourceRange(),
           fmt::format("is {}: the difference is unsigned and wraps around instead of becoming "
                       "negative",
                       operation == clang::BO_GE ? "always true" : "never true"));
  else if (operation == clang::BO_GT && !difference->getLHS()->isEvaluatable(ast) &&
           !difference->getRHS()->isEvaluatable(ast) && !are_compared(*difference, unit))
    report(comparison.getSourceRange(),
           "is true unless the two are equal: the difference is unsigned and wraps around instead "
           "of becoming negative");
}

// `max(i - 1, 0u)`, whose first number is never below 0.
void check_lower_limit(const clang::CallExpr& call, const Unit& unit, Reporter& report) {
  const auto name = metal_function(call, unit);
  const auto& ast = unit.ast();
  if (name == "abs" && call.getNumArgs() == 1 && difference_in(*call.getArg(0), ast)) {
    report(call.getSourceRange(),
           "changes nothing: the difference is unsigned and wraps around; use `absdiff(a, b)`");
    return;
  }
  const bool is_limit =
      (name == "max" && call.getNumArgs() == 2) || (name == "clamp" && call.getNumArgs() == 3);
  if (!is_limit || !is_literal_zero(*call.getArg(1))) return;
  const auto* difference = difference_in(*call.getArg(0), ast);
  if (difference && !are_compared(*difference, unit))
    report(call.getSourceRange(),
           "limits nothing below: the difference is unsigned and wraps around instead of becoming "
           "negative");
}

// `for (uint k = n; k >= 0; --k)`.
void check_loop(const clang::ForStmt& loop, Reporter& report) {
  const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getCond());
  const auto* step = llvm::dyn_cast_or_null<clang::Expr>(loop.getInc());
  if (!test || !step) return;
  const bool is_endless = (test->getOpcode() == clang::BO_GE && is_literal_zero(*test->getRHS())) ||
                          (test->getOpcode() == clang::BO_LE && is_literal_zero(*test->getLHS()));
  const auto* counter = test->getOpcode() == clang::BO_GE ? test->getLHS() : test->getRHS();
  counter = counter->IgnoreParenImpCasts();
  if (!is_endless || !llvm::isa<clang::DeclRefExpr>(counter) || !is_unsigned(*counter)) return;
  report(test->getSourceRange(),
         "is always true: the counter is unsigned, so behind 0 it wraps "
         "around and the loop goes on");
}

}  // namespace

extern constinit const Rule unsigned_difference{
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto comparisons =
              binaryOperator(hasAnyOperatorName("<", "<=", ">", ">=")).bind("comparison");
          for (const auto& found : match_as_written(comparisons, unit))
            check_comparison(*found.getNodeAs<clang::BinaryOperator>("comparison"), unit, report);
          for (const auto& found : match_as_written(callExpr().bind("call"), unit))
            check_lower_limit(*found.getNodeAs<clang::CallExpr>("call"), unit, report);
          for (const auto& found : match_as_written(forStmt().bind("loop"), unit))
            check_loop(*found.getNodeAs<clang::ForStmt>("loop"), report);
        },
};

}  // namespace msci
