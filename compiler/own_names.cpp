#include "compiler/own_names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <fmt/format.h>

#include "compiler/line_text.h"

namespace msci {
namespace {

// Also the declarations within functions.
class LabelFinder : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitDecl(clang::Decl* declaration) override {
    const auto* label = declaration->getAttr<clang::AsmLabelAttr>();
    if (label && label->getLabel().starts_with("msci.")) found = label;
    return !found;
  }
  const clang::AsmLabelAttr* found = nullptr;
};

}  // namespace

std::optional<Error> refuse_own_names(const Unit& unit) {
  LabelFinder finder;
  for (auto* declaration : unit.ast().getTranslationUnitDecl()->noload_decls())
    if (unit.is_users(declaration->getLocation()) && !finder.TraverseDecl(declaration)) break;
  if (!finder.found) return std::nullopt;
  return Error{fmt::format("{}: the assembler name '{}' is one of msci's own; remove it",
                           line_text(unit.locate(finder.found->getRange())),
                           finder.found->getLabel().str())};
}

}  // namespace msci
