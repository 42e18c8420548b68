#include "lint/analysis/pointer_origin.h"

#include <clang/AST/ASTContext.h>

namespace msci {
namespace {

constexpr int most_definitions_of_pointer = 8;

PointerOrigin find_origin(const clang::Expr& pointer, const ThreadFlow& flow, int definitions) {
  const auto* value = pointer.IgnoreParenImpCasts();
  const auto moved = [&](const clang::Expr& base, const clang::Expr& by, bool is_back) {
    auto origin = find_origin(base, flow, definitions);
    const auto step = index_form(&by, flow);
    origin.offset = is_back ? origin.offset - step : origin.offset + step;
    return origin;
  };
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (!variable) return {};
    if (variable->getType()->isArrayType()) return {variable, {}};
    if (!variable->getType()->isPointerType()) return {};
    if (llvm::isa<clang::ParmVarDecl>(variable))
      return flow.is_fixed(variable) ? PointerOrigin{variable, {}} : PointerOrigin{};
    const auto* only = flow.only_value(variable);
    return only && definitions > 0 ? find_origin(*only, flow, definitions - 1) : PointerOrigin{};
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value)) {
    if (!binary->getType()->isPointerType() || !binary->isAdditiveOp()) return {};
    const bool is_right = binary->getRHS()->getType()->isPointerType();
    return is_right
               ? moved(*binary->getRHS(), *binary->getLHS(), false)
               : moved(*binary->getLHS(), *binary->getRHS(), binary->getOpcode() == clang::BO_Sub);
  }
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(value);
  const auto* element =
      address && address->getOpcode() == clang::UO_AddrOf
          ? llvm::dyn_cast<clang::ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens())
          : nullptr;
  return element ? moved(*element->getBase(), *element->getIdx(), false) : PointerOrigin{};
}

}  // namespace

PointerOrigin origin_of(const clang::Expr& pointer, const ThreadFlow& flow) {
  return find_origin(pointer, flow, most_definitions_of_pointer);
}

}  // namespace msci
