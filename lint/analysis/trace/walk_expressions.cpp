// Expressions: where values come from, and which memory they touch.
#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <cmath>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/thread_flow.h"
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

constexpr int deepest_call = 32;

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

bool keeps_small(const clang::FunctionDecl& callee) {
  const auto* name = callee.getIdentifier();
  return name && (name->isStr("min") || name->isStr("clamp") || name->isStr("fmin"));
}

// Also of a number of 64 bits or more without a sign.
double rounded_value(const llvm::APSInt& number) { return number.roundToDouble(number.isSigned()); }

}  // namespace

Origin Tracer::Walk::name(const clang::DeclRefExpr& name) {
  Origin origin;
  if (const auto* constant = dyn_cast<clang::EnumConstantDecl>(name.getDecl())) {
    origin.value = rounded_value(constant->getInitVal());
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
      origin.value = rounded_value(value->getInt());
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

namespace {

// Whether a change of the variable changes no memory. Of a reference to a pointer, the pointer
// changes, and not what it points to.
bool is_local(const clang::VarDecl* variable) {
  return variable && (!variable->getType()->isReferenceType() ||
                      variable->getType()->getPointeeType()->isPointerType());
}

}  // namespace

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
    if (!is_local(variable_of(op.getSubExpr()->IgnoreParenImpCasts())))
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
    if (is_local(variable)) {
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
      if (argument.getKind() == clang::TemplateArgument::Integral &&
          argument.getAsIntegral().isRepresentableByInt64())
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
      return {.value = rounded_value(result.Val.getInt()), .exact = true};
    return {};
  }
  return evaluate_children(e);
}

}  // namespace msci
