#include <clang/AST/ASTContext.h>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

DiagnosticMatch match_diagnostic(const Unit&, const Diagnostic& diagnostic, Finding&) {
  return diagnostic.severity == Severity::warning && diagnostic.id == "array-bounds"
             ? DiagnosticMatch::finding
             : DiagnosticMatch::none;
}

bool is_kernels(const clang::ParmVarDecl& parameter, const Unit& unit) {
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(parameter.getDeclContext());
  return function && unit.attribute(*function, "kernel");
}

// A kernel's pointer argument points to the first element that the kernel may use.
void check(const Unit& unit, Reporter& report) {
  const auto accesses =
      arraySubscriptExpr(hasBase(ignoringParenImpCasts(
                             declRefExpr(to(parmVarDecl(hasType(pointerType())).bind("memory"))))))
          .bind("access");
  for (const auto& found : match(accesses, unit)) {
    const auto* memory = found.getNodeAs<clang::ParmVarDecl>("memory");
    const auto* access = found.getNodeAs<clang::ArraySubscriptExpr>("access");
    const auto index = constant_of(access->getIdx(), unit.ast());
    if (!index || *index >= 0 || !is_kernels(*memory, unit)) continue;
    report(access->getSourceRange(), "lies before the first element of the buffer")
        .note(memory->getSourceRange(), "bound by the host");
  }
}

}  // namespace

extern constinit const Rule out_of_bounds{.match_diagnostic = match_diagnostic, .check = check};

}  // namespace msci
