#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include "compiler/frontend/unit/unit_impl.h"

namespace msci {
namespace {

Attribute attribute_from(Unit::Impl& unit, const clang::AnnotateAttr& annotation) {
  Attribute attribute{.name = annotation.getAnnotation().str(),
                      .place = locate(unit, annotation.getRange())};
  if (annotation.args_size() == 0) return attribute;
  const clang::Expr* argument = *annotation.args_begin();
  if (argument->isValueDependent()) return attribute;
  clang::Expr::EvalResult value;
  if (const auto* text =
          llvm::dyn_cast<clang::StringLiteral>(argument->IgnoreParenImpCasts()->IgnoreImplicit()))
    attribute.text = text->getString().str();
  else if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(argument);
           constant &&
           llvm::isa<clang::StringLiteral>(constant->getSubExpr()->IgnoreParenImpCasts()))
    attribute.text = llvm::cast<clang::StringLiteral>(constant->getSubExpr()->IgnoreParenImpCasts())
                         ->getString()
                         .str();
  else if (argument->EvaluateAsInt(value, unit.compiler->getASTContext()))
    attribute.value = value.Val.getInt().tryExtValue();
  return attribute;
}

bool is_kernel(Unit::Impl& unit, const clang::FunctionDecl& function) {
  for (const auto& attribute : attributes_of(unit, function))
    if (attribute.name == "kernel") return true;
  return false;
}

// Finds kernels, instantiated ones too.
class KernelFinder : public clang::RecursiveASTVisitor<KernelFinder> {
 public:
  explicit KernelFinder(Unit::Impl& unit) : unit_(unit) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseStmt(clang::Stmt*) { return true; }  // statements hold no kernels
  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (!function->doesThisDeclarationHaveABody() || function->isTemplated()) return true;
    if (!is_kernel(unit_, *function)) return true;
    // An instantiation is met below its template, and again as a declaration of its own.
    if (!known_.insert(function).second) return true;
    auto name = function->getNameAsString();
    for (const auto& attribute : attributes_of(unit_, *function))
      if (attribute.name == "host_name") name = attribute.text;
    unit_.kernels.push_back({std::move(name), function});
    return true;
  }

 private:
  Unit::Impl& unit_;
  llvm::DenseSet<const clang::FunctionDecl*> known_;
};

}  // namespace

std::vector<Attribute> attributes_of(Unit::Impl& unit, const clang::Decl& declaration) {
  std::vector<Attribute> attributes;
  for (const auto* annotation : declaration.specific_attrs<clang::AnnotateAttr>())
    attributes.push_back(attribute_from(unit, *annotation));
  return attributes;
}

// The Metal headers have no kernels, and are long.
void find_kernels(Unit::Impl& unit) {
  const auto& sources = unit.compiler->getSourceManager();
  KernelFinder finder(unit);
  for (const auto& group : unit.declarations)
    for (auto* declaration : group)
      if (is_users(sources, declaration->getLocation())) finder.TraverseDecl(declaration);
}

}  // namespace msci
