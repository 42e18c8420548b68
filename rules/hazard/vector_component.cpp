#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/thread_flow.h"
#include "lint/analysis/indices/index_form.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Whether a number counts threads and loses something, so that neighbours share it: `i / 4`.
const clang::BinaryOperator* lossy_part(const clang::Expr& index, const ThreadFlow& flow,
                                        unsigned depth = 0) {
  constexpr unsigned deepest = 6;
  const auto* e = index.IgnoreParenCasts();
  if (depth == deepest) return nullptr;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const auto* value = variable ? flow.only_value(variable) : nullptr;
    return value ? lossy_part(*value, flow, depth + 1) : nullptr;
  }
  const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!operation || flow.divergence(operation) != Divergence::thread) return nullptr;
  switch (operation->getOpcode()) {
    case clang::BO_Div:
    case clang::BO_Shr:
      return operation;
    case clang::BO_Add:
    case clang::BO_Sub:
    case clang::BO_Mul:
      for (const auto* part : {operation->getLHS(), operation->getRHS()})
        if (const auto* found = lossy_part(*part, flow, depth + 1)) return found;
      return nullptr;
    default:
      return nullptr;
  }
}

// What is left of the same number: `i % 4`, `i & 3`.
const clang::BinaryOperator* rest_in(const clang::Expr& index, const ThreadFlow& flow,
                                     unsigned depth = 0) {
  constexpr unsigned deepest = 6;
  const auto* e = index.IgnoreParenCasts();
  if (depth == deepest) return nullptr;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const auto* value = variable ? flow.only_value(variable) : nullptr;
    return value ? rest_in(*value, flow, depth + 1) : nullptr;
  }
  const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(e);
  return operation && (operation->getOpcode() == clang::BO_Rem ||
                       operation->getOpcode() == clang::BO_And)
             ? operation
             : nullptr;
}

void check_store(const clang::BinaryOperator& store, const ThreadFlow& flow, Reporter& report) {
  const auto* component = llvm::dyn_cast<clang::ArraySubscriptExpr>(store.getLHS()->IgnoreParens());
  if (!component) return;
  const auto* vector =
      llvm::dyn_cast<clang::ArraySubscriptExpr>(component->getBase()->IgnoreParenImpCasts());
  if (!vector || !vector->getType()->isVectorType()) return;
  const auto space = space_of(vector->getType());
  if (space != Space::device && space != Space::threadgroup) return;
  const auto* shared = lossy_part(*vector->getIdx(), flow);
  const auto* rest = rest_in(*component->getIdx(), flow);
  if (!shared || !rest || !(index_form(shared->getLHS(), flow) == index_form(rest->getLHS(), flow)))
    return;
  report(component->getSourceRange(),
         "stores one component of a vector, of which other threads store the others: the store "
         "writes the whole vector, and their components get lost");
}

}  // namespace

extern constinit const Rule vector_component{
    .check_flow =
        [](const ThreadFlow& flow, Reporter& report) {
          for (const auto* statement : flow.statements()) {
            const auto* store = llvm::dyn_cast<clang::BinaryOperator>(statement);
            if (store && store->isAssignmentOp()) check_store(*store, flow, report);
          }
        },
};

}  // namespace msci
