#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <set>

#include "lint/rule.h"
#include "lint/trace.h"

namespace msci {
namespace {

using Statements = std::vector<const clang::Stmt*>;

bool is_zero(const clang::Expr& e, const clang::ASTContext& ast) {
  clang::Expr::EvalResult result;
  return !e.isValueDependent() && e.EvaluateAsInt(result, ast) && result.Val.getInt() == 0;
}

// Collects the coordinates of the grid position that a condition asks to be zero (or, for a way
// out, not zero): "" for a scalar position. False: it asks something else.
bool collect(const clang::Expr* condition, bool leaves, const Unit& unit,
             std::set<std::string>& coordinates, const clang::VarDecl*& position) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
  if (!op) return false;
  if (op->getOpcode() == (leaves ? clang::BO_LOr : clang::BO_LAnd))
    return collect(op->getLHS(), leaves, unit, coordinates, position) &&
           collect(op->getRHS(), leaves, unit, coordinates, position);
  const bool compares = op->getOpcode() == (leaves ? clang::BO_NE : clang::BO_EQ) ||
                        (leaves && op->getOpcode() == clang::BO_GT);
  if (!compares || !is_zero(*op->getRHS(), unit.ast())) return false;
  const auto* side = op->getLHS()->IgnoreParenImpCasts();
  std::string coordinate;
  if (const auto* part = llvm::dyn_cast<clang::ExtVectorElementExpr>(side)) {
    coordinate = part->getAccessor().getName().str();
    side = part->getBase()->IgnoreParenImpCasts();
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(side);
  const auto* variable = name ? llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl()) : nullptr;
  if (!variable || !unit.attribute(*variable, "thread_position_in_grid")) return false;
  position = variable;
  coordinates.insert(coordinate);
  return true;
}

bool is_first_thread(const clang::IfStmt& branch, bool leaves, const Unit& unit) {
  std::set<std::string> coordinates;
  const clang::VarDecl* position = nullptr;
  if (!collect(branch.getCond(), leaves, unit, coordinates, position)) return false;
  const auto* vector = position->getType()->getAs<clang::VectorType>();
  return vector ? coordinates.size() == vector->getNumElements() : true;
}

bool returns(const clang::Stmt* body) {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body))
    return block->size() == 1 && llvm::isa<clang::ReturnStmt>(block->body_front());
  return llvm::isa<clang::ReturnStmt>(body);
}

bool stores(const Trace& trace, bool in_long_loop) {
  return std::any_of(trace.accesses.begin(), trace.accesses.end(), [&](const Access& each) {
    return each.stores && is_device_pointer(*each.object) && (!in_long_loop || each.in_long_loop);
  });
}

// The branch that leaves all work to one thread.
const clang::IfStmt* lonely_branch(const clang::FunctionDecl& kernel, const Tracer& tracer,
                                   const Unit& unit) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(kernel.getBody());
  if (!body) return nullptr;
  const Statements all(body->body_begin(), body->body_end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(all[i]);
    if (!branch || branch->getElse()) continue;
    const Statements before(all.begin(), all.begin() + i), after(all.begin() + i + 1, all.end());
    const bool leaves = returns(branch->getThen());
    if (!is_first_thread(*branch, leaves, unit)) continue;
    const auto work = tracer.part(leaves ? after : Statements{branch->getThen()});
    if (stores(tracer.part(before), false) || !work.complete || !stores(work, true)) continue;
    if (leaves || !stores(tracer.part(after), false)) return branch;
  }
  return nullptr;
}

}  // namespace

extern constinit const Rule single_thread{
    .severity = Severity::warning,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& kernel : unit.kernels()) {
            if (has_opaque_arguments(*kernel.declaration)) continue;
            const Tracer tracer(unit, *kernel.declaration);
            if (tracer.whole().stores_elsewhere) continue;
            if (const auto* branch = lonely_branch(*kernel.declaration, tracer, unit))
              report(branch->getCond()->getSourceRange(),
                     "one thread of the grid does all the work, in a loop");
          }
        },
};

}  // namespace msci
