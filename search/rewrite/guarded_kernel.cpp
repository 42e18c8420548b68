#include "search/rewrite/guarded_kernel.h"

#include "lint/analysis/flow/changed_variables.h"

namespace msci::search {
namespace {

// The number of a thread in a grid of one dimension, if that is all that the kernel asks of it.
const clang::ParmVarDecl* thread_number(const Kernel& kernel, const Unit& unit) {
  const clang::ParmVarDecl* number = nullptr;
  for (const auto* parameter : kernel.declaration->parameters()) {
    if (unit.attribute(*parameter, "buffer") || unit.attribute(*parameter, "texture")) continue;
    const bool is_number = unit.attribute(*parameter, "thread_position_in_grid") &&
                           parameter->getType()->isUnsignedIntegerType();
    if (number || !is_number) return nullptr;
    number = parameter;
  }
  return number;
}

// `if (i >= n) return;`: its n.
const clang::Expr* limit_of(const clang::Stmt& guard, const clang::ParmVarDecl& number) {
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(&guard);
  if (!branch || branch->getElse() || !llvm::isa<clang::ReturnStmt>(branch->getThen()))
    return nullptr;
  const auto* condition = llvm::dyn_cast<clang::BinaryOperator>(branch->getCond());
  if (!condition || condition->getOpcode() != clang::BO_GE) return nullptr;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(condition->getLHS()->IgnoreParenImpCasts());
  return name && name->getDecl() == &number ? condition->getRHS() : nullptr;
}

}  // namespace

std::optional<GuardedKernel> guarded_kernel(const Kernel& kernel, const ParsedText& code) {
  const auto* number = thread_number(kernel, code.unit());
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(kernel.declaration->getBody());
  if (!number || !body || body->size() < 2 || changed_in(*body).contains(number))
    return std::nullopt;
  const auto* limit = limit_of(*body->body_front(), *number);
  const auto guard = code.statement(*body->body_front());
  const auto text = limit ? code.operand(*limit) : std::nullopt;
  if (!guard || !text || !limit->getType()->isUnsignedIntegerType()) return std::nullopt;
  return GuardedKernel{number, *guard, *text, {body->body_begin() + 1, body->body_end()}};
}

}  // namespace msci::search
