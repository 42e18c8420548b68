#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <set>

#include "lint/analysis/bounds.h"
#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {
namespace {

using Statements = std::vector<const clang::Stmt*>;

// Whether a branch leaves one thread of the grid: all coordinates of its position are zero.
bool is_first_thread(const clang::IfStmt& branch, bool leaves, const ThreadFlow& flow) {
  Threads threads;
  read_condition(branch.getCond(), !leaves, flow, threads);
  std::set<std::string> coordinates;
  const clang::VarDecl* position = nullptr;
  for (const auto& bound : threads.bounds) {
    const auto atoms = bound.varying.atoms();
    if (!is_first(bound) || atoms.size() != 1 || atoms.front().position != Position::in_grid ||
        !(bound.varying.terms.begin()->first == std::vector<Atom>{atoms.front()}))
      return false;
    position = atoms.front().variable;
    coordinates.insert(atoms.front().text);
  }
  if (threads.others || !position) return false;
  const auto* vector = position->getType()->getAs<clang::VectorType>();
  return coordinates.size() == (vector ? vector->getNumElements() : 1);
}

bool returns(const clang::Stmt* body) {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body))
    return block->size() == 1 && llvm::isa<clang::ReturnStmt>(block->body_front());
  return llvm::isa<clang::ReturnStmt>(body);
}

bool stores(const Trace& trace, bool in_long_loop) {
  return std::any_of(trace.accesses.begin(), trace.accesses.end(), [&](const TracedAccess& each) {
    return each.stores && is_device_pointer(*each.object) && (!in_long_loop || each.in_long_loop);
  });
}

// The branch that leaves all work to one thread.
const clang::IfStmt* lonely_branch(const ThreadFlow& flow, const Tracer& tracer) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(flow.function().getBody());
  if (!body) return nullptr;
  const Statements all(body->body_begin(), body->body_end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(all[i]);
    if (!branch || branch->getElse()) continue;
    const Statements before(all.begin(), all.begin() + i), after(all.begin() + i + 1, all.end());
    const bool leaves = returns(branch->getThen());
    if (!is_first_thread(*branch, leaves, flow)) continue;
    const auto work = tracer.part(leaves ? after : Statements{branch->getThen()});
    if (stores(tracer.part(before), false) || !work.complete || !stores(work, true)) continue;
    if (leaves || !stores(tracer.part(after), false)) return branch;
  }
  return nullptr;
}

}  // namespace

extern constinit const Rule single_thread{
    .severity = Severity::warning,
    .check_kernel =
        [](const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
          if (has_opaque_arguments(kernel)) return;
          const auto& tracer = traced(kernel, unit);
          const auto* flow = thread_flow(kernel, unit);
          if (!flow || tracer.whole().stores_elsewhere) return;
          if (const auto* branch = lonely_branch(*flow, tracer))
            report(branch->getCond()->getSourceRange(),
                   "one thread of the grid does all the work, in a loop");
        },
};

}  // namespace msci
