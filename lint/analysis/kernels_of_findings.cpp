#include "lint/analysis/kernels_of_findings.h"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <set>

namespace msci {
namespace {

// The functions that a function names: those that it calls, or whose address it takes.
class NamedFunctions : public clang::DynamicRecursiveASTVisitor {
 public:
  NamedFunctions() { ShouldVisitImplicitCode = true; }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override { return add(name->getDecl()); }
  bool VisitMemberExpr(clang::MemberExpr* member) override { return add(member->getMemberDecl()); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    return add(made->getConstructor());
  }

  std::vector<const clang::FunctionDecl*> found;

 private:
  bool add(const clang::Decl* declaration) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      found.push_back(function);
    return true;
  }
};

// The places of the functions in the user's text that a kernel reaches, its own first.
std::vector<Place> reached_by(const clang::FunctionDecl& kernel, const Unit& unit) {
  std::vector<Place> places;
  std::set<const clang::FunctionDecl*> seen;
  std::vector<const clang::FunctionDecl*> open{&kernel};
  while (!open.empty()) {
    const auto* function = open.back()->getDefinition();
    open.pop_back();
    if (!function || !seen.insert(function).second) continue;
    if (!unit.is_users(function->getLocation())) continue;
    places.push_back(unit.locate(function->getSourceRange()));
    NamedFunctions names;
    names.TraverseDecl(const_cast<clang::FunctionDecl*>(function));
    open.insert(open.end(), names.found.begin(), names.found.end());
  }
  return places;
}

bool lies_in(const Place& place, const Place& function) {
  return place.is_known() && place.file == function.file &&
         !(place.range.begin < function.range.begin) && !(function.range.end < place.range.begin);
}

}  // namespace

std::vector<std::vector<std::string>> kernels_of_findings(
    const Unit& unit, const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::vector<std::string>> kernels(diagnostics.size());
  if (diagnostics.empty()) return kernels;
  for (const auto& kernel : unit.kernels()) {
    const auto functions = reached_by(*kernel.declaration, unit);
    for (std::size_t i = 0; i < diagnostics.size(); ++i)
      if (std::ranges::any_of(functions, [&](const Place& function) {
            return lies_in(diagnostics[i].place, function);
          }))
        kernels[i].push_back(kernel.name);
  }
  return kernels;
}

}  // namespace msci
