// Statements: what decides branches and loops, and how often loops run.
#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <cmath>

#include "lint/analysis/flow/changed_variables.h"
#include "lint/analysis/trace/walk.h"

namespace msci {
namespace {

using clang::BinaryOperator;
using clang::Expr;
using clang::Stmt;
using clang::VarDecl;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

// The variables of a function that change after their declaration.
class Changes : public ChangedPlaces {
 public:
  Variables changed;

 private:
  void add(const Expr& place) override {
    if (const auto* name = dyn_cast<clang::DeclRefExpr>(place.IgnoreParenImpCasts()))
      if (const auto* variable = dyn_cast<VarDecl>(name->getDecl())) changed.insert(variable);
  }
};

}  // namespace

void Tracer::Walk::enter(const clang::FunctionDecl& function) {
  Changes changes;
  changes.TraverseStmt(function.getBody());
  add(changed_, changes.changed);
  trace.functions.push_back(&function);
}

bool Tracer::Walk::statement(const Stmt* s) {
  if (!s) return false;
  if (++nodes_ > longest_walk) {
    trace.complete = false;
    return true;
  }
  if (const auto* expression = dyn_cast<Expr>(s)) {
    evaluate(expression);
    return false;
  }
  if (const auto* declarations = dyn_cast<clang::DeclStmt>(s)) {
    for (const auto* declaration : declarations->decls())
      if (const auto* variable = dyn_cast<VarDecl>(declaration)) declare(*variable);
    return false;
  }
  if (const auto* branch = dyn_cast<clang::IfStmt>(s)) return conditional(*branch);
  if (const auto* loop = dyn_cast<clang::ForStmt>(s)) return repeated(*loop);
  if (const auto* loop = dyn_cast<clang::WhileStmt>(s))
    return repeated_until(loop->getCond(), loop->getBody());
  if (const auto* loop = dyn_cast<clang::DoStmt>(s))
    return repeated_until(loop->getCond(), loop->getBody());
  if (const auto* choice = dyn_cast<clang::SwitchStmt>(s)) return chosen(*choice);
  if (const auto* given = dyn_cast<clang::ReturnStmt>(s)) {
    if (given->getRetValue()) returned_ = join(evaluate(given->getRetValue()), returned_);
    return true;
  }
  if (isa<clang::BreakStmt, clang::ContinueStmt>(s)) return true;
  return statements(s);
}

bool Tracer::Walk::conditional(const clang::IfStmt& branch) {
  statement(branch.getInit());
  const auto condition = evaluate(branch.getCond());
  if (condition.value && condition.exact)
    return statement(*condition.value != 0 ? branch.getThen() : branch.getElse());
  add(trace.control, condition.sources);
  const double before = trace.operations;
  const bool then_ends = statement(branch.getThen());
  const double after_then = trace.operations;
  trace.operations = before;
  const bool else_ends = branch.getElse() && statement(branch.getElse());
  trace.operations = std::max(trace.operations, after_then);
  return then_ends && else_ends;
}

bool Tracer::Walk::chosen(const clang::SwitchStmt& choice) {
  statement(choice.getInit());
  const auto condition = evaluate(choice.getCond());
  add(trace.control, condition.sources);
  for (const auto* each = choice.getSwitchCaseList(); each; each = each->getNextSwitchCase())
    if (const auto* label = dyn_cast<clang::CaseStmt>(each)) {
      const auto number = evaluate(label->getLHS());
      if (number.value) trace.comparisons.push_back({label->getLHS(), condition, *number.value});
    }
  // Every case is walked: a break ends one of them, not the switch.
  if (const auto* body = dyn_cast<clang::CompoundStmt>(choice.getBody()))
    for (const auto* child : body->body()) statement(child);
  else
    statement(choice.getBody());
  return false;
}

Tracer::Walk::Step Tracer::Walk::step_of(const Expr* increment, const VarDecl* counter) {
  if (!increment) return {};
  increment = increment->IgnoreParenImpCasts();
  if (const auto* unary = dyn_cast<clang::UnaryOperator>(increment))
    return variable_of(unary->getSubExpr()) == counter ? Step{Step::add, 1} : Step{};
  const auto* op = dyn_cast<BinaryOperator>(increment);
  if (!op || variable_of(op->getLHS()) != counter) return {};
  const auto by = evaluate(op->getRHS()).value;
  switch (op->getOpcode()) {
    case clang::BO_AddAssign:
    case clang::BO_SubAssign:
      return {Step::add, by.value_or(1)};
    case clang::BO_MulAssign:
    case clang::BO_DivAssign:
      return {Step::multiply, by.value_or(2)};
    case clang::BO_ShlAssign:
    case clang::BO_ShrAssign:
      return {Step::multiply, std::ldexp(1, by && is_shift(*by) ? static_cast<int>(*by) : 1)};
    default:
      return {};
  }
}

// How often a loop runs, as far as numbers are known; and its counter and its bound.
double Tracer::Walk::trips(const clang::ForStmt& loop, const VarDecl*& counter, Origin& bound) {
  const auto* condition =
      loop.getCond() ? dyn_cast<BinaryOperator>(loop.getCond()->IgnoreParenImpCasts()) : nullptr;
  // Of `i < n && …`, what is added only shortens the loop.
  bool shortened = false;
  while (condition && condition->getOpcode() == clang::BO_LAnd) {
    condition = dyn_cast<BinaryOperator>(condition->getLHS()->IgnoreParenImpCasts());
    shortened = true;
  }
  if (!condition || !condition->isComparisonOp()) return 1;
  counter = variable_of(condition->getLHS());
  const bool swapped = !counter || !changed_.contains(counter);
  if (swapped) counter = variable_of(condition->getRHS());
  if (!counter) return 1;
  bound = evaluate(swapped ? condition->getLHS() : condition->getRHS());
  if (shortened) bound.unbounded.clear();
  const auto start = environment_[counter];
  // Down to a number: what the counter started from is the bound.
  const auto top = !bound.value || (start.value && *start.value > *bound.value) ||
                           (bound.value && !start.value && !start.sources.empty() &&
                            condition->getOpcode() != clang::BO_LT)
                       ? join(bound, start)
                       : bound;
  const auto step = step_of(loop.getInc(), counter);
  const auto a = start.value.value_or(0);
  std::optional<double> b = bound.value;
  if (bound.value && !start.value && !start.sources.empty()) b = bound.value;
  bound = top;
  bound.value = b;
  if (!b) return 1;
  const double low = std::min(a, *b), high = std::max(a, *b);
  if (step.kind == Step::multiply)
    return step.by > 1 ? std::ceil(std::log2((high + 1) / std::max(low, 1.0)) / std::log2(step.by))
                       : 1;
  const bool closed =
      condition->getOpcode() == clang::BO_LE || condition->getOpcode() == clang::BO_GE;
  return std::max(std::ceil((high - low + (closed ? 1 : 0)) / std::max(std::abs(step.by), 1e-9)),
                  0.0);
}

bool Tracer::Walk::repeated(const clang::ForStmt& loop) {
  statement(loop.getInit());
  const VarDecl* counter = nullptr;
  Origin bound;
  const double rounds = trips(loop, counter, bound);
  const bool is_long = !bound.value && !bound.sources.empty();
  if (bound.value && bound.exact && *bound.value > 0)
    trace.numbers.insert(static_cast<std::int64_t>(*bound.value));
  add(trace.rounds, bound.sources);
  if (counter && !held_.contains(counter)) {
    auto& running = environment_[counter];
    const auto start = running.value;
    add(running.sources, bound.sources);
    add(running.unbounded, bound.unbounded);
    running.value.reset();
    if (bound.value) running.value = (start.value_or(0) + *bound.value) / 2;
    running.exact = false;
  }
  const double before = trace.operations;
  trace.operations = 0;
  ++loops_;
  long_loops_ += is_long;
  if (loop.getCond()) add(trace.rounds, evaluate(loop.getCond()).sources);
  add(trace.control, trace.rounds);
  statement(loop.getBody());
  if (loop.getInc()) evaluate(loop.getInc());
  --loops_;
  long_loops_ -= is_long;
  trace.operations = before + rounds * trace.operations;
  return false;
}

bool Tracer::Walk::repeated_until(const Expr* condition, const Stmt* body) {
  ++loops_;
  ++long_loops_;  // unknown
  add(trace.rounds, evaluate(condition).sources);
  add(trace.control, trace.rounds);
  statement(body);
  --loops_;
  --long_loops_;
  return false;
}

void Tracer::Walk::declare(const VarDecl& variable) {
  if (held_.contains(&variable)) return;
  Origin origin;
  const auto type = variable.getType();
  if (type->isReferenceType() && variable.getInit())
    origin = place(variable.getInit());
  else if (variable.getInit())
    origin = evaluate(variable.getInit());
  if (type->isArrayType()) {
    origin.object = &variable;
    origin.sources.insert(&variable);
  } else if (!type->isPointerType() && !type->isReferenceType()) {
    origin.object = nullptr;
  }
  // Which of a record's pointers is stored through is not followed.
  if (type->isRecordType() && is_opaque(type)) trace.stores_elsewhere = true;
  if (type->isPointerType() || !changed_.contains(&variable)) {
    environment_[&variable] = std::move(origin);
    return;
  }
  // A loop's counter keeps its start until the loop is met.
  origin.exact = false;
  environment_[&variable] = std::move(origin);
}

}  // namespace msci
