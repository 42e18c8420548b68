#include "lint/analysis/trace.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <cmath>

#include "lint/analysis/matchers.h"
#include "lint/analysis/thread_flow.h"
#include "lint/analysis/typical.h"

namespace msci {
namespace {

using clang::BinaryOperator;
using clang::Expr;
using clang::Stmt;
using clang::VarDecl;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

constexpr int deepest_call = 32;
constexpr int longest_walk = 100'000;  // nodes

// Whether it holds, or may hold, pointers or textures.
bool is_opaque(clang::QualType type, int depth = 0) {
  type = type.getCanonicalType();
  if (depth > 8) return true;
  if (const auto* array = type->getAsArrayTypeUnsafe())
    return is_opaque(array->getElementType(), depth + 1);
  if (depth > 0 && type->isAnyPointerType()) return true;
  const auto* record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return false;
  return record->fields().empty() ||
         std::any_of(record->field_begin(), record->field_end(),
                     [&](const auto* field) { return is_opaque(field->getType(), depth + 1); });
}

// The variables of a function that change after their declaration.
class Changes : public clang::DynamicRecursiveASTVisitor {
 public:
  Variables changed;
  bool VisitBinaryOperator(BinaryOperator* op) override {
    if (op->isAssignmentOp()) mark(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf) mark(op->getSubExpr());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto* callee = call->getDirectCallee();
    if (!callee) return true;
    for (unsigned i = 0; i < std::min(call->getNumArgs(), callee->getNumParams()); ++i) {
      const auto type = callee->getParamDecl(i)->getType();
      if (type->isReferenceType() && !type->getPointeeType().isConstQualified())
        mark(call->getArg(i));
    }
    return true;
  }

 private:
  void mark(const Expr* place) {
    place = place->IgnoreParenImpCasts();
    if (const auto* name = dyn_cast<clang::DeclRefExpr>(place))
      if (const auto* variable = dyn_cast<VarDecl>(name->getDecl())) changed.insert(variable);
  }
};

void add(Variables& to, const Variables& more) { to.insert(more.begin(), more.end()); }

// What comes of two values together; of their memory, the first that is known.
Origin join(Origin a, const Origin& b) {
  add(a.sources, b.sources);
  add(a.unbounded, b.unbounded);
  a.value.reset();
  a.copied = nullptr;
  if (!a.object) a.object = b.object;
  return a;
}

bool is_shift(double bits) { return bits >= 0 && bits < 64; }

std::optional<double> calculate(clang::BinaryOperatorKind kind, double a, double b, bool whole) {
  switch (kind) {
    case clang::BO_Add:
      return a + b;
    case clang::BO_Sub:
      return a - b;
    case clang::BO_Mul:
      return a * b;
    case clang::BO_Div:
      if (b == 0) return std::nullopt;
      return whole ? std::trunc(a / b) : a / b;
    case clang::BO_Rem:
      if (b == 0) return std::nullopt;
      return std::fmod(a, b);
    case clang::BO_Shl:
      if (!is_shift(b)) return std::nullopt;
      return std::ldexp(a, static_cast<int>(b));
    case clang::BO_Shr:
      if (!is_shift(b)) return std::nullopt;
      return std::floor(std::ldexp(a, -static_cast<int>(b)));
    case clang::BO_LT:
      return a < b;
    case clang::BO_GT:
      return a > b;
    case clang::BO_LE:
      return a <= b;
    case clang::BO_GE:
      return a >= b;
    case clang::BO_EQ:
      return a == b;
    case clang::BO_NE:
      return a != b;
    case clang::BO_LAnd:
      return a != 0 && b != 0;
    case clang::BO_LOr:
      return a != 0 || b != 0;
    default:
      return std::nullopt;
  }
}

// What may still be as large as an argument once an operator has been at it.
Variables unbounded_after(const BinaryOperator& op, const Origin& left, const Origin& right) {
  if (op.isComparisonOp() || op.isLogicalOp()) return {};
  switch (op.getOpcode()) {
    case clang::BO_Rem:
    case clang::BO_And:
      return right.value || left.value ? Variables{} : right.unbounded;
    case clang::BO_Div:
    case clang::BO_Shr:
      return left.unbounded;
    case clang::BO_Sub:  // a distance, as of a piece's end from its beginning
      return right.unbounded.empty() ? left.unbounded : Variables{};
    default: {
      auto all = left.unbounded;
      add(all, right.unbounded);
      return all;
    }
  }
}

// How a loop's variable goes from round to round.
struct Step {
  enum Kind { unknown, add, multiply } kind = unknown;
  double by = 1;
};

bool keeps_small(const clang::FunctionDecl& callee) {
  const auto* name = callee.getIdentifier();
  return name && (name->isStr("min") || name->isStr("clamp") || name->isStr("fmin"));
}

const VarDecl* variable_of(const Expr* expression) {
  if (!expression) return nullptr;
  const auto* name = dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

}  // namespace

// The walk itself: statements answer whether control never gets behind them.
class Tracer::Walk {
 public:
  Walk(const Unit& unit, Environment environment)
      : unit_(unit), environment_(std::move(environment)) {}

  void enter(const clang::FunctionDecl& function) {
    Changes changes;
    changes.TraverseStmt(function.getBody());
    add(changed_, changes.changed);
    trace.functions.push_back(&function);
  }
  void hold(const VarDecl* variable, double value) {
    auto& origin = environment_[variable];
    origin.sources.insert(variable);
    origin.value = value;
    origin.exact = true;
    held_.insert(variable);
  }
  bool statement(const Stmt* statement);
  Origin evaluate(const Expr* expression);

  Trace trace;
  Environment take_environment() && { return std::move(environment_); }

 private:
  bool statements(const Stmt* parent) {
    for (const auto* child : parent->children())
      if (child && statement(child)) return true;
    return false;
  }
  bool conditional(const clang::IfStmt& branch);
  bool repeated(const clang::ForStmt& loop);
  bool repeated_until(const Expr* condition, const Stmt* body);
  bool chosen(const clang::SwitchStmt& choice);
  void declare(const VarDecl& variable);
  double trips(const clang::ForStmt& loop, const VarDecl*& counter, Origin& bound);
  Step step_of(const Expr* increment, const VarDecl* counter);

  Origin evaluate_unary(const clang::UnaryOperator& op);
  Origin evaluate_binary(const BinaryOperator& op);
  Origin evaluate_call(const clang::CallExpr& call);
  Origin inlined(const clang::CallExpr& call, const clang::FunctionDecl& callee);
  Origin evaluate_children(const Expr* expression);
  Origin name(const clang::DeclRefExpr& name);
  // The place's memory and index, without a load or a store.
  Origin place(const Expr* expression);
  void access(const Expr* place, const Origin& where, bool loads, bool stores,
              const Expr* value = nullptr, Origin stored = {});
  void compare(const BinaryOperator& op, const Origin& left, const Origin& right);

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

Step Tracer::Walk::step_of(const Expr* increment, const VarDecl* counter) {
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

Origin Tracer::Walk::name(const clang::DeclRefExpr& name) {
  Origin origin;
  if (const auto* constant = dyn_cast<clang::EnumConstantDecl>(name.getDecl())) {
    origin.value = constant->getInitVal().getExtValue();
    origin.exact = true;
    return origin;
  }
  const auto* variable = dyn_cast<VarDecl>(name.getDecl());
  if (!variable) return origin;
  trace.read.insert(variable);
  const auto known = environment_.find(variable);
  if (known != environment_.end()) {
    add(trace.read, known->second.object ? Variables{known->second.object} : Variables{});
    origin = known->second;
    // It may have changed since.
    if (changed_.contains(variable) && !held_.contains(variable)) origin.exact = false;
    return origin;
  }
  const auto type = variable->getType().getNonReferenceType();
  if (type->isIntegralOrEnumerationType() && variable->hasInit() &&
      (type.isConstQualified() || variable->isConstexpr()) &&
      !variable->getInit()->isValueDependent())
    if (const auto* value = variable->evaluateValue(); value && value->isInt()) {
      origin.value = value->getInt().getExtValue();
      origin.exact = true;
      return origin;
    }
  origin.sources.insert(variable);
  origin.unbounded.insert(variable);
  if (variable->getType()->isPointerType() || variable->getType()->isReferenceType() ||
      variable->getType()->isArrayType() || variable->hasGlobalStorage())
    origin.object = variable;
  return origin;
}

Origin Tracer::Walk::place(const Expr* e) {
  e = e->IgnoreParens();
  if (const auto* reference = dyn_cast<clang::DeclRefExpr>(e)) return name(*reference);
  if (const auto* element = dyn_cast<clang::ArraySubscriptExpr>(e)) {
    auto base = isa<clang::ImplicitCastExpr>(element->getBase()) &&
                        element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType()
                    ? place(element->getBase()->IgnoreParenImpCasts())
                    : evaluate(element->getBase());
    const auto index = evaluate(element->getIdx());
    base.unbounded = index.unbounded;
    add(base.sources, index.sources);
    base.value.reset();
    return base;
  }
  if (const auto* unary = dyn_cast<clang::UnaryOperator>(e);
      unary && unary->getOpcode() == clang::UO_Deref)
    return evaluate(unary->getSubExpr());
  if (const auto* member = dyn_cast<clang::MemberExpr>(e)) {
    if (!member->isArrow()) return place(member->getBase());
    return evaluate(member->getBase());
  }
  if (const auto* part = dyn_cast<clang::ExtVectorElementExpr>(e)) return place(part->getBase());
  if (const auto* made = dyn_cast<clang::CastExpr>(e)) return place(made->getSubExpr());
  if (const auto* made = dyn_cast<clang::MaterializeTemporaryExpr>(e))
    return evaluate(made->getSubExpr());
  return evaluate(e);
}

void Tracer::Walk::access(const Expr* at, const Origin& where, bool loads, bool stores,
                          const Expr* value, Origin stored) {
  if (!where.object) {
    // A method's object has lost its space to a conversion.
    const auto type = at->IgnoreParenImpCasts()->getType();
    trace.stores_elsewhere |= stores && space_of(type) == Space::device;
    return;
  }
  trace.read.insert(where.object);
  trace.accesses.push_back({.object = where.object,
                            .stores = stores,
                            .loads = loads,
                            .place = at,
                            .value = value,
                            .index = where,
                            .stored = std::move(stored),
                            .loops = loops_,
                            .in_long_loop = long_loops_ > 0});
}

void Tracer::Walk::compare(const BinaryOperator& op, const Origin& left, const Origin& right) {
  if (left.value && left.exact && !right.value)
    trace.comparisons.push_back({&op, right, *left.value});
  if (right.value && right.exact && !left.value)
    trace.comparisons.push_back({&op, left, *right.value});
}

Origin Tracer::Walk::evaluate_unary(const clang::UnaryOperator& op) {
  ++trace.operations;
  if (op.getOpcode() == clang::UO_AddrOf) return place(op.getSubExpr());
  if (op.getOpcode() == clang::UO_Deref) {
    const auto where = evaluate(op.getSubExpr());
    access(&op, where, /*loads=*/true, /*stores=*/false);
    auto value = where;
    value.copied = &op;
    value.copied_from = where.object;
    return value;
  }
  if (op.isIncrementDecrementOp()) {
    const auto where = place(op.getSubExpr());
    if (!isa<clang::DeclRefExpr>(op.getSubExpr()->IgnoreParenImpCasts()) ||
        op.getSubExpr()->getType()->isReferenceType())
      access(op.getSubExpr(), where, true, true);
    return where;
  }
  auto inner = evaluate(op.getSubExpr());
  inner.copied = nullptr;
  if (inner.value && op.getOpcode() == clang::UO_Minus)
    inner.value = -*inner.value;
  else if (inner.value && op.getOpcode() == clang::UO_LNot)
    inner.value = *inner.value == 0;
  else if (op.getOpcode() != clang::UO_Plus)
    inner.value.reset();
  return inner;
}

Origin Tracer::Walk::evaluate_binary(const BinaryOperator& op) {
  ++trace.operations;
  if (op.isAssignmentOp()) {
    const auto value = evaluate(op.getRHS());
    const auto* target = op.getLHS()->IgnoreParenImpCasts();
    const auto* variable = variable_of(target);
    // A reference to a pointer: the pointer changes, and not what it points to.
    const bool local = variable && (!variable->getType()->isReferenceType() ||
                                    variable->getType()->getPointeeType()->isPointerType());
    if (local) {
      trace.read.insert(variable);
      if (held_.contains(variable)) return value;
      auto& known = environment_[variable];
      const bool replaces =
          variable->getType()->isPointerType() && op.getOpcode() == clang::BO_Assign;
      known = replaces ? join(value, known) : join(known, value);
      if (loops_ == 0 && op.getOpcode() == clang::BO_Assign) known.value = value.value;
      return known;
    }
    const auto where = place(target);
    access(target, where, /*loads=*/op.getOpcode() != clang::BO_Assign, /*stores=*/true,
           op.getRHS(), value);
    // What a local array holds comes from all that was put into it.
    if (where.object && environment_.contains(where.object)) {
      add(environment_[where.object].sources, value.sources);
    }
    // And what a local vector or struct holds, from what was put into its parts.
    if (const auto* whole = root_variable(target);
        whole && !whole->getType()->isPointerType() && !whole->getType()->isReferenceType())
      if (const auto known = environment_.find(whole); known != environment_.end()) {
        add(known->second.sources, value.sources);
        known->second.value.reset();
      }
    return value;
  }
  const auto left = evaluate(op.getLHS());
  const auto right = evaluate(op.getRHS());
  if (op.isComparisonOp()) compare(op, left, right);
  if (op.isComparisonOp()) {
    add(trace.control, left.sources);
    add(trace.control, right.sources);
  }
  auto result = join(left, right);
  if (op.getOpcode() == clang::BO_Comma) return right;
  result.unbounded = unbounded_after(op, left, right);
  if (!op.getType()->isPointerType()) result.object = nullptr;
  const bool whole = op.getType()->isIntegralOrEnumerationType();
  if (left.value && right.value)
    result.value = calculate(op.getOpcode(), *left.value, *right.value, whole);
  result.exact = left.exact && right.exact;
  return result;
}

Origin Tracer::Walk::inlined(const clang::CallExpr& call, const clang::FunctionDecl& callee) {
  if (std::find(trace.functions.begin(), trace.functions.end(), &callee) == trace.functions.end())
    enter(callee);
  if (const auto* arguments = callee.getTemplateSpecializationArgs())
    for (const auto& argument : arguments->asArray())
      if (argument.getKind() == clang::TemplateArgument::Integral)
        trace.numbers.insert(argument.getAsIntegral().getExtValue());
  const unsigned first = isa<clang::CXXOperatorCallExpr>(call) && callee.isCXXInstanceMember();
  for (unsigned i = 0; i + first < call.getNumArgs() && i < callee.getNumParams(); ++i) {
    const auto* parameter = callee.getParamDecl(i);
    const auto* argument = call.getArg(i + first);
    auto origin = parameter->getType()->isReferenceType() ? place(argument) : evaluate(argument);
    if (!parameter->getType()->isPointerType() && !parameter->getType()->isReferenceType())
      origin.object = nullptr;
    environment_[parameter] = std::move(origin);
  }
  const auto outer = std::exchange(returned_, {});
  ++depth_;
  statement(callee.getBody());
  --depth_;
  return std::exchange(returned_, outer);
}

Origin Tracer::Walk::evaluate_call(const clang::CallExpr& call) {
  ++trace.operations;
  if (const auto* method = dyn_cast<clang::CXXMemberCallExpr>(&call))
    evaluate(method->getImplicitObjectArgument());
  const auto* callee = call.getDirectCallee();
  const clang::FunctionDecl* definition = nullptr;
  if (callee && !callee->isImplicit() && !callee->isDefaulted() && callee->hasBody(definition) &&
      unit_.is_users(definition->getLocation())) {
    if (depth_ < deepest_call) return inlined(call, *definition);
    trace.complete = false;
    return {};
  }
  Origin result;
  result.exact = true;
  const bool assigns = isa<clang::CXXOperatorCallExpr>(call) &&
                       cast<clang::CXXOperatorCallExpr>(call).isAssignmentOp();
  if (assigns && call.getNumArgs() == 2) {
    const auto value = evaluate(call.getArg(1));
    const auto where = place(call.getArg(0));
    const auto* variable = variable_of(call.getArg(0));
    if (variable && !variable->getType()->isReferenceType())
      environment_[variable] = join(environment_[variable], value);
    else
      access(call.getArg(0), where, false, true, call.getArg(1), value);
    return value;
  }
  const bool bounded = callee && keeps_small(*callee);
  const bool only_stores =
      callee && callee->getIdentifier() &&
      (callee->getName() == "simdgroup_store" || callee->getName() == "atomic_store_explicit");
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const auto* argument = call.getArg(i);
    const auto type = argument->getType();
    auto given = evaluate(argument);
    if (type->isPointerType()) {
      const bool changes = !type->getPointeeType().isConstQualified();
      access(argument, given, /*loads=*/!only_stores, changes);
    } else if (callee && i < callee->getNumParams() &&
               callee->getParamDecl(i)->getType()->isReferenceType() &&
               !callee->getParamDecl(i)->getType()->getPointeeType().isConstQualified()) {
      access(argument, place(argument), true, true);
    }
    given.object = nullptr;
    result = join(std::move(result), given);
  }
  if (bounded) result.unbounded.clear();
  if (bounded) add(trace.control, result.sources);
  result.value.reset();
  return result;
}

Origin Tracer::Walk::evaluate_children(const Expr* expression) {
  Origin result;
  for (const auto* child : expression->children())
    if (const auto* part = llvm::dyn_cast_or_null<Expr>(child))
      result = join(std::move(result), evaluate(part));
  return result;
}

Origin Tracer::Walk::evaluate(const Expr* e) {
  if (!e) return {};
  if (++nodes_ > longest_walk) {
    trace.complete = false;
    return {};
  }
  if (const auto* number = dyn_cast<clang::IntegerLiteral>(e))
    return {.value = number->getValue().getLimitedValue(), .exact = true};
  if (const auto* number = dyn_cast<clang::CXXBoolLiteralExpr>(e))
    return {.value = number->getValue(), .exact = true};
  if (isa<clang::FloatingLiteral>(e)) return {};
  if (const auto* parens = dyn_cast<clang::ParenExpr>(e)) return evaluate(parens->getSubExpr());
  if (const auto* replaced = dyn_cast<clang::SubstNonTypeTemplateParmExpr>(e))
    return evaluate(replaced->getReplacement());
  if (const auto* constant = dyn_cast<clang::ConstantExpr>(e))
    return evaluate(constant->getSubExpr());
  if (const auto* given = dyn_cast<clang::CXXDefaultArgExpr>(e)) return evaluate(given->getExpr());
  if (const auto* reference = dyn_cast<clang::DeclRefExpr>(e)) return name(*reference);
  if (isa<clang::ArraySubscriptExpr, clang::MemberExpr, clang::ExtVectorElementExpr>(e)) {
    const auto where = place(e);
    if (!e->getType()->isArrayType()) access(e, where, /*loads=*/true, /*stores=*/false);
    auto value = where;
    value.value.reset();
    value.unbounded.clear();  // the memory's contents are unknown
    value.copied = e;
    value.copied_from = where.object;
    if (!e->getType()->isPointerType() && !e->getType()->isArrayType()) value.object = nullptr;
    return value;
  }
  if (const auto* unary = dyn_cast<clang::UnaryOperator>(e)) return evaluate_unary(*unary);
  if (const auto* binary = dyn_cast<BinaryOperator>(e)) return evaluate_binary(*binary);
  if (const auto* call = dyn_cast<clang::CallExpr>(e)) return evaluate_call(*call);
  if (const auto* cast = dyn_cast<clang::CastExpr>(e)) {
    if (cast->getCastKind() == clang::CK_LValueToRValue) {
      const auto* inner = cast->getSubExpr()->IgnoreParens();
      const auto* variable = variable_of(inner);
      auto value = evaluate(inner);
      if (variable && variable->getType()->isReferenceType() && value.object)
        access(inner, value, true, false);
      if (!e->getType()->isPointerType()) value.object = nullptr;
      return value;
    }
    auto value = evaluate(cast->getSubExpr());
    if (!e->getType()->isIntegralOrEnumerationType() && value.value && !value.exact)
      value.value.reset();
    return value;
  }
  if (const auto* choice = dyn_cast<clang::ConditionalOperator>(e)) {
    const auto condition = evaluate(choice->getCond());
    if (condition.value && condition.exact)
      return evaluate(*condition.value != 0 ? choice->getTrueExpr() : choice->getFalseExpr());
    auto value = join(evaluate(choice->getTrueExpr()), evaluate(choice->getFalseExpr()));
    add(value.sources, condition.sources);
    value.unbounded.clear();  // the condition may choose the smaller one
    add(trace.control, condition.sources);
    return value;
  }
  if (isa<clang::UnaryExprOrTypeTraitExpr>(e)) {
    clang::Expr::EvalResult result;
    if (!e->isValueDependent() && e->EvaluateAsInt(result, unit_.ast()))
      return {.value = result.Val.getInt().getExtValue(), .exact = true};
    return {};
  }
  return evaluate_children(e);
}

Tracer::Tracer(const Unit& unit, const clang::FunctionDecl& function) : unit_(unit) {
  Walk walk(unit, {});
  walk.enter(function);
  walk.statement(function.getBody());
  whole_ = std::move(walk.trace);
  environment_ = std::move(walk).take_environment();
}

Trace Tracer::part(const std::vector<const Stmt*>& statements, const KnownValues& known) const {
  Walk walk(unit_, environment_);
  for (const auto* function : whole_.functions) walk.enter(*function);
  for (const auto& [variable, value] : known) walk.hold(variable, value);
  for (const auto* statement : statements)
    if (walk.statement(statement)) break;
  return std::move(walk.trace);
}

Origin Tracer::origin(const Expr& expression) const {
  Walk walk(unit_, environment_);
  return walk.evaluate(&expression);
}

const Tracer& traced(const clang::FunctionDecl& function, const Unit& unit) {
  return unit.memo().get<Tracer>(&function, [&] { return Tracer(unit, function); });
}

const std::vector<const clang::FunctionDecl*>& entered_functions(const Unit& unit) {
  using Functions = std::vector<const clang::FunctionDecl*>;
  return unit.memo().get<Functions>(&unit, [&] {
    Functions all;
    for (const auto& kernel : typical_kernels(unit)) all.push_back(kernel.declaration);
    for (const auto& kernel : typical_kernels(unit))
      for (const auto* function : traced(*kernel.declaration, unit).whole().functions)
        if (std::find(all.begin(), all.end(), function) == all.end()) all.push_back(function);
    return all;
  });
}

bool is_device_pointer(const VarDecl& parameter) {
  const auto type = parameter.getType();
  return (type->isPointerType() || type->isReferenceType()) &&
         space_of(type->getPointeeType()) == Space::device;
}

bool is_written_const(const VarDecl& parameter) {
  return parameter.getType()->getPointeeType().isConstQualified();
}

bool has_opaque_arguments(const clang::FunctionDecl& kernel) {
  return std::any_of(kernel.param_begin(), kernel.param_end(), [](const auto* parameter) {
    const auto type = parameter->getType();
    const bool points = type->isPointerType() || type->isReferenceType();
    return is_opaque(points ? type->getPointeeType() : type);
  });
}

bool is_shared_number(const VarDecl& parameter) {
  const auto type = parameter.getType();
  return type->isReferenceType() && type->getPointeeType()->isArithmeticType() &&
         space_of(type->getPointeeType()) == Space::constant;
}

}  // namespace msci
