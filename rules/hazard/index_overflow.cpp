#include <clang/AST/ASTContext.h>

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

}  // namespace

extern constinit const Rule index_overflow{
    .check =
        [](const Unit& unit, Reporter& report) {
          auto& ast = unit.ast();
          const auto widened =
              castExpr(hasCastKind(clang::CK_IntegralCast), hasType(isInteger())).bind("cast");
          auto found = match(varDecl(hasInitializer(ignoringParens(widened))), unit);
          for (auto& each : match(widened, unit)) {
            const auto* made =
                llvm::dyn_cast<clang::ImplicitCastExpr>(each.getNodeAs<clang::CastExpr>("cast"));
            const bool somebody_asked = !made || made->isPartOfExplicitCast();
            if (somebody_asked) found.push_back(each);
          }
          for (const auto& each : found) {
            const auto& cast = *each.getNodeAs<clang::CastExpr>("cast");
            if (cast.isTypeDependent() || cast.isValueDependent() ||
                ast.getTypeSize(cast.getType()) != 64)
              continue;
            if (const auto* product = product_in(*cast.getSubExpr(), ast))
              report(product->getSourceRange(),
                     "is multiplied in 32 bits and widened to 64 bits afterwards");
          }
        },
};

}  // namespace msci
