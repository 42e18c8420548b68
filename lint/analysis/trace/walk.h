// The walk of a Tracer (lint/analysis/trace.h) through a function.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>

#include <utility>

#include "lint/analysis/trace.h"

namespace msci {

// After more nodes, a walk gives up: its trace is incomplete.
constexpr int longest_walk = 100'000;

void add(Variables& to, const Variables& more);
// What comes of two values together; of their memory, the first that is known.
Origin join(Origin a, const Origin& b);
// The variable that an expression names; null for any other expression.
const clang::VarDecl* variable_of(const clang::Expr* expression);
// Whether a value of the type holds, or may hold, pointers or textures.
bool is_opaque(clang::QualType type, int depth = 0);
// Whether a shift of 64 bits by so many is defined.
constexpr bool is_shift(double bits) { return bits >= 0 && bits < 64; }

// The functions that walk a statement return whether control never gets behind it.
class Tracer::Walk {
 public:
  Walk(const Unit& unit, Environment environment)
      : unit_(unit), environment_(std::move(environment)) {}

  void enter(const clang::FunctionDecl& function);
  void hold(const clang::VarDecl* variable, double value) {
    auto& origin = environment_[variable];
    origin.sources.insert(variable);
    origin.value = value;
    origin.exact = true;
    held_.insert(variable);
  }
  bool statement(const clang::Stmt* statement);
  Origin evaluate(const clang::Expr* expression);

  Trace trace;
  Environment take_environment() && { return std::move(environment_); }

 private:
  // How a loop's counter changes in each iteration.
  struct Step {
    enum Kind { unknown, add, multiply } kind = unknown;
    double by = 1;
  };

  bool statements(const clang::Stmt* parent) {
    for (const auto* child : parent->children())
      if (child && statement(child)) return true;
    return false;
  }
  bool conditional(const clang::IfStmt& branch);
  bool repeated(const clang::ForStmt& loop);
  bool repeated_until(const clang::Expr* condition, const clang::Stmt* body);
  bool chosen(const clang::SwitchStmt& choice);
  void declare(const clang::VarDecl& variable);
  double trips(const clang::ForStmt& loop, const clang::VarDecl*& counter, Origin& bound);
  Step step_of(const clang::Expr* increment, const clang::VarDecl* counter);

  Origin evaluate_unary(const clang::UnaryOperator& op);
  Origin evaluate_binary(const clang::BinaryOperator& op);
  Origin evaluate_call(const clang::CallExpr& call);
  Origin inlined(const clang::CallExpr& call, const clang::FunctionDecl& callee);
  Origin evaluate_children(const clang::Expr* expression);
  Origin name(const clang::DeclRefExpr& name);
  // The place's memory and index, without a load or a store.
  Origin place(const clang::Expr* expression);
  void access(const clang::Expr* place, const Origin& where, bool loads, bool stores,
              const clang::Expr* value = nullptr, Origin stored = {});
  void compare(const clang::BinaryOperator& op, const Origin& left, const Origin& right);

  const Unit& unit_;
  Environment environment_;
  Variables changed_;
  Variables held_;
  Origin returned_;
  int depth_ = 0;
  int nodes_ = 0;
  int loops_ = 0;
  int long_loops_ = 0;
};

}  // namespace msci
