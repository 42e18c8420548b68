#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ParentMap.h>

#include "lint/analysis/expressions.h"
#include "lint/analysis/matchers.h"
#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// The place that an atomic function changes where it is the same for all threads and all rounds: an
// argument itself, or an element of it that a number names.
bool is_one_place(const clang::Expr* object, const clang::ASTContext& ast) {
  object = object->IgnoreParenImpCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(object);
      address && address->getOpcode() == clang::UO_AddrOf)
    object = address->getSubExpr()->IgnoreParenImpCasts();
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(object)) {
    if (!constant_of(element->getIdx(), ast)) return false;
    object = element->getBase()->IgnoreParenImpCasts();
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(object);
  const auto* argument = name ? llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl()) : nullptr;
  return argument && is_device_pointer(*argument);
}

}  // namespace

extern constinit const Rule atomic_in_loop{
    .severity = Severity::note,
    .check_kernel =
        [](const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
          static const auto loop = mapAnyOf(forStmt, whileStmt, doStmt);
          static const auto sums = callExpr(
              callee(functionDecl(matchesName("::atomic_fetch_(add|sub|min|max|or|and|xor)_"
                                              "explicit$"))));
          static const auto in_kernel = functionDecl(
              forEachDescendant(stmt(loop.with(forEachDescendant(stmt(sums).bind("call"))))));
          const clang::ParentMap parents(kernel.getBody());
          for (const auto& found : clang::ast_matchers::match(in_kernel, kernel, unit.ast())) {
            const auto& call = *found.getNodeAs<clang::CallExpr>("call");
            // What it gives back is another value each time; then each call is needed.
            const auto* parent = parents.getParent(&call);
            const bool is_used =
                !parent || llvm::isa<clang::Expr, clang::ReturnStmt, clang::DeclStmt>(parent);
            if (!is_used && is_one_place(call.getArg(0), unit.ast()))
              report(call.getSourceRange(),
                     "all threads update this one place atomically in every iteration of a loop");
          }
        },
};

}  // namespace msci
