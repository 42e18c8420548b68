#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "lint/analysis/bounds.h"
#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/thread_flow.h"
#include "lint/rule.h"

namespace msci {
namespace {

const clang::Expr* condition_of(const clang::Stmt& statement) {
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&statement)) return loop->getCond();
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(&statement)) return loop->getCond();
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&statement)) return loop->getCond();
  return nullptr;
}

class SimdgroupLocks {
 public:
  SimdgroupLocks(const ThreadFlow& flow, Reporter& report) : flow_(flow), report_(report) {}

  void run() {
    for (const auto* statement : flow_.statements())
      if (condition_of(*statement))
        if (const auto* taken = taking_call(*statement); taken && decides_end(*statement, *taken))
          check(*statement, *taken);
  }

 private:
  std::string_view atomic_function(const clang::Stmt& part) const {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&part);
    const auto name = call ? metal_function(*call, flow_.unit()) : std::string_view();
    return name.starts_with("atomic_") && call->getNumArgs() > 1 ? name : std::string_view();
  }

  const clang::VarDecl* lock_of(const clang::CallExpr& call) const {
    const auto* place = call.getArg(0)->IgnoreParenImpCasts();
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(place);
        address && address->getOpcode() == clang::UO_AddrOf)
      place = address->getSubExpr();
    return root_variable(place);
  }

  // The exchange of a constant in a loop, not in one within it: it takes a lock that is free.
  const clang::CallExpr* taking_call(const clang::Stmt& part) const {
    const auto name = atomic_function(part);
    const bool is_exchange =
        name == "atomic_exchange_explicit" || name == "atomic_fetch_or_explicit";
    if (is_exchange || name == "atomic_compare_exchange_weak_explicit") {
      const auto& call = llvm::cast<clang::CallExpr>(part);
      const auto taken = constant_of(call.getArg(is_exchange ? 1 : 2), flow_.unit().ast());
      return taken && *taken != 0 && lock_of(call) ? &call : nullptr;
    }
    for (const auto* child : part.children()) {
      if (!child || condition_of(*child)) continue;
      if (const auto* found = taking_call(*child)) return found;
    }
    return nullptr;
  }

  // Whether the loop goes on until the call succeeds: its condition has the call, or a variable
  // that is set by it, or a `break` depends on it.
  bool decides_end(const clang::Stmt& loop, const clang::CallExpr& taken) const {
    const auto* condition = condition_of(loop);
    for (const clang::Stmt *at = &taken, *around = flow_.parent(at); at != &loop && around;
         at = std::exchange(around, flow_.parent(around))) {
      if (at == condition) return true;
      const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(at);
      const auto* variable = assignment && assignment->getOpcode() == clang::BO_Assign
                                 ? root_variable(assignment->getLHS())
                                 : nullptr;
      if (variable && mentions(condition, *variable)) return true;
      const auto* branch = llvm::dyn_cast<clang::IfStmt>(around);
      if (branch && branch->getCond() == at && ends_in_break(*branch->getThen())) return true;
    }
    return false;
  }

  static bool ends_in_break(const clang::Stmt& part) {
    const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&part);
    return llvm::isa<clang::BreakStmt>(block && !block->body_empty() ? *block->body_back() : part);
  }

  // The call that gives the lock back behind the loop; null where the loop itself does, or none.
  const clang::CallExpr* call_behind(const clang::Stmt& loop, const clang::CallExpr& taken) const {
    const clang::CallExpr* found = nullptr;
    for (const auto* call : flow_.calls()) {
      const auto name = atomic_function(*call);
      const bool gives_back = name == "atomic_store_explicit" || name == "atomic_exchange_explicit";
      if (call == &taken || !gives_back || lock_of(*call) != lock_of(taken) ||
          constant_of(call->getArg(1), flow_.unit().ast()) != 0)
        continue;
      if (flow_.contains(&loop, call)) return nullptr;
      if (flow_.reaches(&taken, call, {})) found = call;
    }
    return found;
  }

  // Whether the threads of a simdgroup certainly have one lock: what tells locks apart is the same
  // for all of them.
  bool is_shared(const clang::Expr& lock) const {
    const auto* place = lock.IgnoreParenImpCasts();
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(place))
      return address->getOpcode() == clang::UO_AddrOf && is_shared(*address->getSubExpr());
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place))
      return flow_.divergence(element->getIdx()) == Divergence::none &&
             is_shared(*element->getBase());
    if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(place))
      return sum->getOpcode() == clang::BO_Add && is_shared(*sum->getLHS()) &&
             flow_.divergence(sum->getRHS()) == Divergence::none;
    return llvm::isa<clang::DeclRefExpr>(place);
  }

  // Whether only one lane of a simdgroup may come there, or nobody can tell.
  bool may_be_alone(const clang::Stmt& loop, const clang::CallExpr& taken) const {
    Threads threads;
    for (const auto& guard : flow_.guards(&loop))
      read_condition(guard.condition, guard.taken, flow_, threads);
    for (const auto* condition : flow_.deciding(&taken)) {
      const auto* branch = branch_of(condition, flow_);
      if (branch && !flow_.contains(branch, &loop) && !flow_.contains(&loop, branch) &&
          flow_.exit_under(branch->getCond()))
        read_condition(branch->getCond(), false, flow_, threads);
    }
    return threads.others || std::ranges::any_of(threads.bounds, is_pinned);
  }

  void check(const clang::Stmt& loop, const clang::CallExpr& taken) {
    if (!is_shared(*taken.getArg(0)) || may_be_alone(loop, taken)) return;
    if (const auto* behind = call_behind(loop, taken))
      report_(taken.getSourceRange(),
              "waits for a lock that another thread of the simdgroup may hold: all of them are in "
              "this loop until the last one leaves it")
          .note(behind->getSourceRange(), "the lock is given back behind the loop only");
  }

  const ThreadFlow& flow_;
  Reporter& report_;
};

}  // namespace

extern constinit const Rule simdgroup_lock{
    .check_flow = [](const ThreadFlow& flow,
                     Reporter& report) { SimdgroupLocks(flow, report).run(); },
};

}  // namespace msci
