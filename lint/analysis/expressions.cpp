#include "lint/analysis/expressions.h"

#include <algorithm>

namespace msci {

Space space_of(clang::QualType type) {
  // getCanonicalType() moves an array's qualifiers to its elements, and getQualifiers() looks
  // there.
  switch (type.getCanonicalType().getQualifiers().getAddressSpace()) {
    case clang::LangAS::sycl_global:
    case clang::LangAS::opencl_global:
      return Space::device;
    case clang::LangAS::sycl_global_host:
    case clang::LangAS::opencl_global_host:
      return Space::constant;
    case clang::LangAS::sycl_local:
    case clang::LangAS::opencl_local:
    // object_data and threadgroup_imageblock: of a threadgroup, too.
    case clang::LangAS::sycl_global_device:
    case clang::LangAS::opencl_global_device:
    case clang::LangAS::sycl_private:
    case clang::LangAS::opencl_private:
      return Space::threadgroup;
    default:
      return Space::thread;
  }
}

bool is_same(const clang::Expr& a, const clang::Expr& b, const clang::ASTContext& ast) {
  llvm::FoldingSetNodeID one, other;
  a.IgnoreParenImpCasts()->Profile(one, ast, /*Canonical=*/true);
  b.IgnoreParenImpCasts()->Profile(other, ast, true);
  return one == other;
}

std::optional<std::int64_t> constant_of(const clang::Expr* value, const clang::ASTContext& ast) {
  clang::Expr::EvalResult result;
  if (!value || value->isValueDependent() || !value->getType()->isIntegralOrEnumerationType() ||
      !value->EvaluateAsInt(result, ast))
    return std::nullopt;
  const auto& number = result.Val.getInt();
  if (!number.isRepresentableByInt64()) return std::nullopt;
  return number.getExtValue();
}

bool mentions(const clang::Stmt* part, const clang::VarDecl& variable) {
  if (!part) return false;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(part);
  return (name && name->getDecl() == &variable) ||
         std::any_of(part->child_begin(), part->child_end(),
                     [&](const clang::Stmt* child) { return mentions(child, variable); });
}

bool has_call(const clang::Stmt* part) {
  return part && (llvm::isa<clang::CallExpr>(part) ||
                  std::any_of(part->child_begin(), part->child_end(), has_call));
}

}  // namespace msci
