#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Mangle.h>

#include <functional>

#include "compiler/pointers/pointers.h"

namespace msci {
namespace {

// Calls `take` with each function of the user's that has a body. What the prebuilt headers declare
// is not loaded.
void for_each_function(const Unit& unit, const clang::DeclContext& context,
                       const std::function<void(const clang::FunctionDecl&)>& take) {
  for (const auto* declaration : context.noload_decls()) {
    if (!unit.is_users(declaration->getLocation())) continue;
    const auto* inner = llvm::dyn_cast<clang::DeclContext>(declaration);
    if (inner && llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration))
      for_each_function(unit, *inner, take);
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (function && function->doesThisDeclarationHaveABody() && !function->isTemplated())
      take(*function);
  }
}

bool is_visible(const Unit& unit, const clang::FunctionDecl& function) {
  return unit.attribute(function, "visible") || unit.attribute(function, "stitchable");
}

}  // namespace

std::vector<VisibleFunction> visible_functions(const Unit& unit) {
  std::vector<VisibleFunction> functions;
  for_each_function(
      unit, *unit.ast().getTranslationUnitDecl(), [&](const clang::FunctionDecl& function) {
        if (!is_visible(unit, function)) return;
        const auto host_name = unit.attribute(function, "host_name");
        functions.push_back({{host_name ? host_name->text : function.getNameAsString(), &function},
                             clang::ASTNameGenerator(unit.ast()).getName(&function)});
      });
  return functions;
}

FunctionTables function_tables(const Unit& unit, const std::vector<VisibleFunction>& visible) {
  FunctionTables tables{.types = table_types(unit)};
  for (const auto& [kernel, symbol] : visible)
    tables.functions.push_back(
        {kernel.name,
         function_type(*kernel.declaration->getType()->castAs<clang::FunctionProtoType>())});
  if (tables.types.empty()) return tables;
  for_each_function(unit, *unit.ast().getTranslationUnitDecl(),
                    [&](const clang::FunctionDecl& function) {
                      if (function.getIdentifier() && !is_visible(unit, function))
                        tables.unmarked.push_back(function.getNameAsString());
                    });
  return tables;
}

}  // namespace msci
