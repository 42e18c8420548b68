#include <clang/AST/ASTContext.h>
#include <fmt/format.h>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/thread_flow.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// The cast that narrows an integer of at least 32 bits to at most 16; null for other arguments.
const clang::CastExpr* narrowing_of(const clang::Expr& argument, const clang::ASTContext& ast) {
  const auto* e = argument.IgnoreParens();
  while (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
    const auto* from = cast->getSubExpr();
    const auto to_type = cast->getType(), from_type = from->getType();
    if (to_type->isDependentType() || from_type->isDependentType()) return nullptr;
    if (to_type->isIntegerType() && from_type->isIntegerType() && !to_type->isBooleanType() &&
        ast.getTypeSize(to_type) <= 16 && ast.getTypeSize(from_type) >= 32)
      return cast;
    e = from->IgnoreParens();
  }
  return nullptr;
}

// Whether a number may be anything that a host gives: it is a size or a position, or a sum or
// difference of such, with no operation that keeps it small.
bool is_unlimited(const clang::Expr& value, const Unit& unit, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  const auto& ast = unit.ast();
  const auto* e = value.IgnoreParenCasts();
  if (depth == deepest || e->isInstantiationDependent() || ast.getTypeSize(e->getType()) < 32)
    return false;
  if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(e))
    return (sum->isAdditiveOp() || sum->getOpcode() == clang::BO_Mul) &&
           (is_unlimited(*sum->getLHS(), unit, depth + 1) ||
            is_unlimited(*sum->getRHS(), unit, depth + 1));
  if (llvm::isa<clang::MemberExpr>(e)) return true;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (!variable) return false;
  const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
  if (parameter)
    return parameter->getType()->isReferenceType() &&
           space_of(parameter->getType().getNonReferenceType()) == Space::constant;
  return variable->getType().isConstQualified() && variable->getInit() &&
         is_unlimited(*variable->getInit(), unit, depth + 1);
}

void check_narrowed_limit(const clang::CallExpr& call, const Unit& unit, Reporter& report) {
  const auto name = metal_function(call, unit);
  if ((name != "min" || call.getNumArgs() != 2) && (name != "clamp" || call.getNumArgs() != 3))
    return;
  const auto& ast = unit.ast();
  const auto limited = name == "min" ? 2U : 1U;
  bool has_limit = name == "clamp";
  for (unsigned i = 0; i < call.getNumArgs(); ++i)
    has_limit = has_limit || constant_of(call.getArg(i), ast);
  for (unsigned i = 0; has_limit && i < limited; ++i) {
    const auto* cast = narrowing_of(*call.getArg(i), ast);
    if (!cast || !is_unlimited(*cast->getSubExpr(), unit)) continue;
    report(cast->getSourceRange(),
           fmt::format("is narrowed to {} bits before `{}` limits it: a larger number becomes "
                       "another one",
                       ast.getTypeSize(cast->getType()), name));
  }
}

}  // namespace

extern constinit const Rule narrowed_limit{
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& found : match_as_written(callExpr().bind("call"), unit))
            check_narrowed_limit(*found.getNodeAs<clang::CallExpr>("call"), unit, report);
        },
};

}  // namespace msci
