#include <clang/AST/ASTContext.h>

#include <algorithm>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

bool is_product(const clang::Expr& value) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value.IgnoreParens());
  return binary && binary->getOpcode() == clang::BO_Mul;
}

// The product of two 32-bit values, neither of them known, that a sum holds at its top; null where
// there is none.
const clang::BinaryOperator* product_in(const clang::Expr& value, const clang::ASTContext& ast) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value.IgnoreParens());
  if (!binary || ast.getTypeSize(binary->getType()) != 32) return nullptr;
  if (binary->isAdditiveOp()) {
    const auto* left = product_in(*binary->getLHS(), ast);
    return left ? left : product_in(*binary->getRHS(), ast);
  }
  if (!is_product(*binary)) return nullptr;
  for (const auto* factor : {binary->getLHS(), binary->getRHS()}) {
    // What is narrower than 32 bits, or is known, makes no large product.
    const auto* whole = factor->IgnoreParenImpCasts();
    if (whole->isEvaluatable(ast) || !whole->getType()->isIntegerType() ||
        ast.getTypeSize(whole->getType()) < 32)
      return nullptr;
  }
  return binary;
}

// Whether a number counts threads or threadgroups, or is made of such numbers and constants.
bool counts_grid(const clang::Expr& value, const Unit& unit, int depth = 0) {
  const auto* e = value.IgnoreParenCasts();
  if (depth > 4) return false;
  if (e->isEvaluatable(unit.ast())) return true;
  if (const auto* part = llvm::dyn_cast<clang::ExtVectorElementExpr>(e))
    return counts_grid(*part->getBase(), unit, depth + 1);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e))
    return !binary->isAssignmentOp() && counts_grid(*binary->getLHS(), unit, depth + 1) &&
           counts_grid(*binary->getRHS(), unit, depth + 1);
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (!variable) return false;
  if (llvm::isa<clang::ParmVarDecl>(variable)) {
    const auto attributes = unit.attributes(*variable);
    return std::any_of(attributes.begin(), attributes.end(), [](const Attribute& each) {
      return each.name.starts_with("thread") || each.name.starts_with("simdgroup");
    });
  }
  return variable->getType().isConstQualified() && variable->getInit() &&
         counts_grid(*variable->getInit(), unit, depth + 1);
}

// The product of the grid's own numbers is the number of its threadgroups at most.
bool is_of_groups(const clang::BinaryOperator& product, const Unit& unit) {
  return counts_grid(*product.getLHS(), unit) && counts_grid(*product.getRHS(), unit);
}

// Code that computes the high word of a product wants its low word alone.
bool computes_high_words(const Unit& unit) {
  return !match(callExpr(callee(functionDecl(hasName("mulhi")))), unit).empty();
}

}  // namespace

extern constinit const Rule index_overflow{
    .check =
        [](const Unit& unit, Reporter& report) {
          auto& ast = unit.ast();
          const auto widened =
              castExpr(hasCastKind(clang::CK_IntegralCast), hasType(isInteger())).bind("cast");
          auto found = match(varDecl(hasInitializer(ignoringParens(widened))), unit);
          const bool has_high_words = computes_high_words(unit);
          for (auto& each : match(widened, unit)) {
            const auto* made =
                llvm::dyn_cast<clang::ImplicitCastExpr>(each.getNodeAs<clang::CastExpr>("cast"));
            const bool is_requested = !made || made->isPartOfExplicitCast();
            if (is_requested && !has_high_words) found.push_back(each);
          }
          for (const auto& each : found) {
            const auto& cast = *each.getNodeAs<clang::CastExpr>("cast");
            if (cast.isTypeDependent() || cast.isValueDependent() ||
                ast.getTypeSize(cast.getType()) != 64)
              continue;
            if (const auto* product = product_in(*cast.getSubExpr(), ast);
                product && !is_of_groups(*product, unit))
              report(product->getSourceRange(),
                     "is multiplied in 32 bits and widened to 64 bits afterwards");
          }
        },
};

}  // namespace msci
