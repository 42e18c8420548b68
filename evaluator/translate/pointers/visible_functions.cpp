#include "evaluator/translate/pointers/visible_functions.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Mangle.h>

namespace msci {
namespace {

void collect(const Unit& unit, const clang::DeclContext& context,
             std::vector<VisibleFunction>& functions) {
  for (const auto* declaration : context.decls()) {
    if (!unit.is_users(declaration->getLocation())) continue;
    const auto* inner = llvm::dyn_cast<clang::DeclContext>(declaration);
    if (inner && llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration))
      collect(unit, *inner, functions);
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (!function || !function->doesThisDeclarationHaveABody() || function->isTemplated()) continue;
    if (!unit.attribute(*function, "visible") && !unit.attribute(*function, "stitchable")) continue;
    const auto host_name = unit.attribute(*function, "host_name");
    functions.push_back({{host_name ? host_name->text : function->getNameAsString(), function},
                         clang::ASTNameGenerator(unit.ast()).getName(function)});
  }
}

}  // namespace

std::vector<VisibleFunction> visible_functions(const Unit& unit) {
  std::vector<VisibleFunction> functions;
  collect(unit, *unit.ast().getTranslationUnitDecl(), functions);
  return functions;
}

}  // namespace msci
