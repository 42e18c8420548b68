#include "compiler/frontend/function_constants.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace msci {
namespace {

// The declarations of the source itself; those of prebuilt headers stay where they are.
void collect(const clang::DeclContext& context, const Unit& unit,
             std::vector<const clang::VarDecl*>& found) {
  for (const auto* each : context.noload_decls()) {
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(each))
      collect(*llvm::cast<clang::DeclContext>(each), unit, found);
    else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
             variable && unit.attribute(*variable, "function_constant"))
      found.push_back(variable);
  }
}

const clang::VarDecl* find_variable(const clang::DeclContext& from, const std::string& name) {
  auto& ast = from.getParentASTContext();
  const clang::DeclarationName wanted(&ast.Idents.get(name));
  for (const auto* context = &from; context; context = context->getParent())
    for (const auto* each : context->lookup(wanted))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each)) return variable;
  return nullptr;
}

}  // namespace

std::vector<const clang::VarDecl*> function_constants(const Unit& unit) {
  std::vector<const clang::VarDecl*> found;
  collect(*unit.ast().getTranslationUnitDecl(), unit, found);
  return found;
}

const clang::VarDecl* condition_of(const Unit& unit, const clang::ParmVarDecl& parameter) {
  const auto attribute = unit.attribute(parameter, "function_constant");
  const auto* kernel = llvm::dyn_cast_or_null<clang::FunctionDecl>(parameter.getDeclContext());
  if (!attribute || !kernel) return nullptr;
  return find_variable(*kernel->getDeclContext()->getRedeclContext(), attribute->text);
}

}  // namespace msci
