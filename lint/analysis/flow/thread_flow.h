// How the threads of a threadgroup go through a kernel: which values differ among them, under which
// conditions they reach a place, and whether a barrier lies between two places.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/Analysis/CFG.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/frontend/attributes.h"
#include "compiler/frontend/unit.h"
#include "lint/analysis/expressions.h"

namespace msci {

// How a value may differ: not within a threadgroup, among its simdgroups, among their threads.
// What cannot be told counts as the same, so that nothing is said without a reason.
enum class Divergence { none, simdgroup, thread };

// An `if`, loop or `?:` around a place: its condition and whether it was found true there.
struct Guard {
  const clang::Expr* condition = nullptr;
  bool taken = true;
};

// Where a statement stands in the control flow graph.
struct ProgramPoint {
  const clang::CFGBlock* block = nullptr;
  std::size_t index = 0;
};

// The direct callee's name, where it is one of Metal's own functions; else empty.
std::string_view metal_function(const clang::CallExpr& call, const Unit& unit);

// threadgroup_barrier or simdgroup_barrier with all its flags known.
struct Barrier {
  const clang::CallExpr* call = nullptr;
  bool whole_threadgroup = false;  // rather than one simdgroup
  bool orders_threadgroup = false;
  bool orders_device = false;
};

// What is known of a parameter of a function that a kernel calls.
struct ArgumentFlow {
  Divergence divergence = Divergence::none;
  Position position = Position::none;
};
using ArgumentFlows = std::map<const clang::ParmVarDecl*, ArgumentFlow>;

// The body of one kernel, or of one function that kernels call. Built in about a millisecond; keeps
// pointers into the unit's AST.
class ThreadFlow {
 public:
  // Nothing where Clang makes no graph of the body, or one that is too large to look at.
  static std::optional<ThreadFlow> of(const clang::FunctionDecl& function, const Unit& unit,
                                      const ArgumentFlows& bindings = {});

  const Unit& unit() const { return *unit_; }
  const clang::FunctionDecl& function() const { return *function_; }

  Divergence divergence(const clang::Expr* value) const;
  Position position(const clang::ValueDecl* declaration) const;
  // What a variable was initialised with, where nothing else is ever put into it.
  const clang::Expr* only_value(const clang::VarDecl* variable) const;
  // Whether a variable holds one value from its declaration on.
  bool is_fixed(const clang::VarDecl* variable) const;

  // Enclosing conditions, outermost first.
  const std::vector<Guard>& guards(const clang::Stmt* statement) const;
  // The first condition that differs at least this much and decides whether threads get here,
  // early exits included; null where all of them do.
  const clang::Expr* divergent_condition(const clang::Stmt* statement, Divergence least) const;
  // All conditions that decide whether control gets here, early exits included.
  const std::vector<const clang::Expr*>& deciding(const clang::Stmt* statement) const;
  // The return, break or continue through which threads that miss `statement` leave, where the
  // condition is an `if` around no more than that.
  const clang::Stmt* exit_under(const clang::Expr* condition) const;

  const std::vector<Barrier>& barriers() const { return barriers_; }
  // Calls of the user's functions that meet a barrier inside.
  const std::vector<const clang::CallExpr*>& barrier_calls() const { return barrier_calls_; }
  const std::vector<const clang::CallExpr*>& calls() const { return calls_; }
  // Every statement of the body, outer before inner.
  const std::vector<const clang::Stmt*>& statements() const { return statements_; }
  bool contains(const clang::Stmt* outer, const clang::Stmt* inner) const;
  const clang::Stmt* parent(const clang::Stmt* statement) const;

  // Whether control can come from one statement, or from the start for null, to the other without
  // passing one of the fences.
  bool reaches(const clang::Stmt* from, const clang::Stmt* to,
               const std::set<const clang::Stmt*>& fences) const;
  std::optional<ProgramPoint> place(const clang::Stmt* statement) const;

 private:
  ThreadFlow() = default;
  void walk(const clang::Stmt* statement, const clang::Stmt* parent, std::size_t guards);
  void walk_parts(const clang::Stmt* statement, std::size_t guards);
  void note_call(const clang::CallExpr& call);
  void spread();
  bool spread_once();
  void note_assignment(const clang::Expr& target, const clang::Expr* value,
                       const clang::Stmt& statement);
  void note_counters(const clang::Stmt* start, const clang::ForStmt& loop);
  const clang::ForStmt* counting_loop(const clang::VarDecl* variable, const clang::Stmt* at) const;
  bool raise(const clang::VarDecl* variable, const clang::Stmt* at, Divergence divergence);
  Divergence of_call(const clang::CallExpr& call) const;
  Divergence of_children(const clang::Stmt& statement) const;

  struct Assignment {
    const clang::VarDecl* variable = nullptr;
    const clang::Expr* value = nullptr;      // null: by one, up or down
    const clang::Stmt* statement = nullptr;  // null: the declaration itself
    bool in_shared_memory = false;           // that the variable leads to
  };

  const Unit* unit_ = nullptr;
  const clang::FunctionDecl* function_ = nullptr;
  std::unique_ptr<clang::CFG> graph_;
  // What is below a statement follows it in statements_, up to the number of `end`.
  struct Node {
    const clang::Stmt* parent = nullptr;
    std::size_t number = 0;
    std::size_t end = 0;
    std::size_t guards = 0;  // in guards_
  };
  const Node* node(const clang::Stmt* statement) const;

  llvm::DenseMap<const clang::Stmt*, ProgramPoint> places_;
  llvm::DenseMap<const clang::Stmt*, Node> nodes_;
  std::vector<std::vector<Guard>> guards_;  // the first: none
  std::map<const clang::Stmt*, const clang::Stmt*> exits_;
  std::map<unsigned, std::vector<const clang::Expr*>> deciding_;  // conditions, by block
  std::map<const clang::ValueDecl*, Position> positions_;
  // A `for` that sets a variable which was declared before it makes another variable of it, as far
  // as the loop goes; null: anywhere else.
  std::map<const clang::VarDecl*, std::vector<const clang::ForStmt*>> counting_loops_;
  std::map<std::pair<const clang::VarDecl*, const clang::ForStmt*>, Divergence> divergences_;
  std::map<const clang::VarDecl*, const clang::Stmt*> declared_;
  std::vector<Assignment> assignments_;
  llvm::DenseSet<const clang::VarDecl*> changed_;  // after their declaration
  std::vector<Barrier> barriers_;
  std::vector<const clang::CallExpr*> barrier_calls_;
  std::vector<const clang::CallExpr*> calls_;
  std::vector<const clang::Stmt*> statements_;
};

// The variable at the root of an lvalue (`v`, `v.x`, `v[i]`); null without one.
const clang::VarDecl* root_variable(const clang::Expr* value);

// What a call hands to the parameters of the function that it calls.
ArgumentFlows arguments_of(const clang::CallExpr& call, const clang::FunctionDecl& callee,
                           const ThreadFlow& flow);

// The flow of a function that is called with nothing known, made at the first call; null where
// Clang makes no graph of the body.
const ThreadFlow* thread_flow(const clang::FunctionDecl& function, const Unit& unit);

// The kernels in which threads wait for or hear of each other (they have a barrier, or threadgroup
// memory), and the functions to which they hand that memory or leave that waiting. Kernels first;
// made at the first call.
const std::vector<ThreadFlow>& cooperative_flows(const Unit& unit);

}  // namespace msci
