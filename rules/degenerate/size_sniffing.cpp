#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/expressions.h"
#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {
namespace {

// `N == 1048576` with a size from the host; 0 and 1 are honest special cases.
class ComparisonFinder : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit ComparisonFinder(const clang::ASTContext& ast) : ast_(ast) {}
  bool VisitIfStmt(clang::IfStmt* branch) override {
    const auto* test =
        llvm::dyn_cast<clang::BinaryOperator>(branch->getCond()->IgnoreParenImpCasts());
    if (!test || test->getOpcode() != clang::BO_EQ ||
        constant_of(test->getRHS(), ast_).value_or(0) < 2)
      return true;
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(test->getLHS()->IgnoreParenImpCasts());
    const auto* size = name ? llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl()) : nullptr;
    if (size && is_shared_number(*size)) found.push_back(branch);
    return true;
  }
  std::vector<const clang::IfStmt*> found;

 private:
  const clang::ASTContext& ast_;
};

bool is_input_buffer(const clang::VarDecl* variable) {
  return llvm::isa<clang::ParmVarDecl>(variable) && is_device_pointer(*variable) &&
         is_written_const(*variable);
}

bool depends_on_input(const TracedAccess& store) {
  return std::any_of(store.stored.sources.begin(), store.stored.sources.end(), is_input_buffer) ||
         !store.value;
}

// Whether a branch answers, by stores or by doing nothing, without a look at any input.
bool answers_blindly(const Trace& taken) {
  if (!taken.complete || taken.stores_elsewhere) return false;
  bool any = false;
  for (const auto& access : taken.accesses) {
    if (!is_device_pointer(*access.object)) return false;
    if (!access.stores || depends_on_input(access)) return false;
    any = true;
  }
  return any;
}

bool answers_from_input(const Trace& whole) {
  return std::any_of(whole.accesses.begin(), whole.accesses.end(), [](const TracedAccess& each) {
    return each.stores && is_device_pointer(*each.object) && depends_on_input(each);
  });
}

}  // namespace

extern constinit const Rule size_sniffing{
    .severity = Severity::warning,
    .check_kernel =
        [](const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
          ComparisonFinder finder(unit.ast());
          finder.TraverseStmt(kernel.getBody());
          if (finder.found.empty() || has_opaque_arguments(kernel)) return;
          const auto& tracer = traced(kernel, unit);
          if (!tracer.whole().complete || !answers_from_input(tracer.whole())) return;
          for (const auto* branch : finder.found)
            if (answers_blindly(tracer.part({branch->getThen()})))
              report(branch->getCond()->getSourceRange(),
                     "at exactly this size, the result does not depend on the inputs");
        },
};

}  // namespace msci
