#include "lint/analysis/trace/template_arguments.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace msci {
namespace {

constexpr int most_constants = 8;  // one made of the other

bool has_argument(const clang::Stmt* code, int depth);

// A member of a class template, or a constant that is made of template arguments.
bool is_made_of_arguments(const clang::VarDecl& constant, int depth) {
  if (llvm::isa<clang::ClassTemplateSpecializationDecl>(constant.getDeclContext())) return true;
  const bool is_constant = constant.isConstexpr() || constant.getType().isConstQualified();
  return is_constant && has_argument(constant.getInit(), depth + 1);
}

bool has_argument(const clang::Stmt* code, int depth) {
  if (!code || depth > most_constants) return false;
  if (llvm::isa<clang::SubstNonTypeTemplateParmExpr>(code)) return true;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(code))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
      return is_made_of_arguments(*variable, depth);
  return std::any_of(code->child_begin(), code->child_end(),
                     [&](const clang::Stmt* child) { return has_argument(child, depth); });
}

}  // namespace

bool is_set_by_template(const clang::Stmt& code) { return has_argument(&code, 0); }

bool has_length_set_by_template(const clang::VarDecl& array) {
  const auto* written = array.getTypeSourceInfo();
  const auto type =
      written ? written->getTypeLoc().getAs<clang::ArrayTypeLoc>() : clang::ArrayTypeLoc();
  return type && has_argument(type.getSizeExpr(), 0);
}

}  // namespace msci
