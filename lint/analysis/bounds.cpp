#include "lint/analysis/bounds.h"

#include <clang/AST/ASTContext.h>

#include <algorithm>

namespace msci {
namespace {

std::optional<clang::BinaryOperatorKind> mirrored(clang::BinaryOperatorKind operation) {
  if (operation == clang::BO_EQ || operation == clang::BO_NE) return operation;
  if (operation < clang::BO_LT || operation > clang::BO_GE) return std::nullopt;
  return clang::BinaryOperator::reverseComparisonOp(operation);
}

// `all(t == 0)`, `any(t > 0)`: the comparison of a position with constants, component by component.
bool read_vector(const clang::CallExpr& call, bool taken, const ThreadFlow& flow,
                 Threads& threads) {
  if (metal_function(call, flow.unit()) != (taken ? "all" : "any") || call.getNumArgs() != 1)
    return false;
  // The vector that the comparison gives becomes a bool2, bool3 or bool4.
  const auto* test =
      llvm::dyn_cast<clang::BinaryOperator>(call.getArg(0)->IgnoreUnlessSpelledInSource());
  const auto* name =
      test ? llvm::dyn_cast<clang::DeclRefExpr>(test->getLHS()->IgnoreParenImpCasts()) : nullptr;
  const auto* position = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  clang::Expr::EvalResult known;
  if (!position || !test->isComparisonOp() || test->getRHS()->isValueDependent() ||
      !test->getRHS()->EvaluateAsRValue(known, flow.unit().ast()) || !known.Val.isVector())
    return false;
  auto operation = test->getOpcode();
  if (!taken) operation = clang::BinaryOperator::negateComparisonOp(operation);
  for (unsigned i = 0; i < std::min(known.Val.getVectorLength(), 4u); ++i) {
    const auto& element = known.Val.getVectorElt(i);
    if (!element.isInt()) return false;
    IndexForm component;
    component.terms[{{position, std::string(1, "xyzw"[i]), flow.divergence(name),
                      flow.position(position), flow.is_fixed(position)}}] = 1;
    threads.bounds.push_back({operation, component, constant_form(element.getInt().getExtValue())});
  }
  return true;
}

}  // namespace

const clang::IfStmt* branch_of(const clang::Expr* condition, const ThreadFlow& flow) {
  const clang::Stmt* at = condition;
  while (at && llvm::isa<clang::Expr>(at)) at = flow.parent(at);
  const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(at);
  return branch && flow.contains(branch->getCond(), condition) ? branch : nullptr;
}

void read_condition(const clang::Expr* condition, bool taken, const ThreadFlow& flow,
                    Threads& threads) {
  condition = condition->IgnoreParenImpCasts();
  if (flow.divergence(condition) == Divergence::none) return;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(condition))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
      if (const auto* value = flow.only_value(variable))
        return read_condition(value, taken, flow, threads);
  if (const auto* negated = llvm::dyn_cast<clang::UnaryOperator>(condition);
      negated && negated->getOpcode() == clang::UO_LNot)
    return read_condition(negated->getSubExpr(), !taken, flow, threads);
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(condition);
  const auto joins = taken ? clang::BO_LAnd : clang::BO_LOr;
  if (binary && binary->getOpcode() == joins) {
    read_condition(binary->getLHS(), taken, flow, threads);
    return read_condition(binary->getRHS(), taken, flow, threads);
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(condition);
      call && read_vector(*call, taken, flow, threads))
    return;
  const bool of_integers = binary && binary->getLHS()->getType()->isIntegralOrEnumerationType();
  const auto reversed = of_integers ? mirrored(binary->getOpcode()) : std::nullopt;
  if (!reversed) {
    // `if (t)` asks whether it is zero.
    if (condition->getType()->isIntegerType() && !condition->getType()->isBooleanType())
      threads.bounds.push_back(
          {taken ? clang::BO_NE : clang::BO_EQ, index_form(condition, flow), {}});
    else
      threads.others = true;
    return;
  }
  auto left = index_form(binary->getLHS(), flow), right = index_form(binary->getRHS(), flow);
  auto operation = binary->getOpcode();
  if (left.varying().terms.empty()) {
    std::swap(left, right);
    operation = *reversed;
  }
  if (!taken) operation = clang::BinaryOperator::negateComparisonOp(operation);
  if (left.varying().terms.empty() || !right.varying().terms.empty())
    threads.others = true;
  else
    threads.bounds.push_back({operation, std::move(left), std::move(right)});
}

Threads threads_at(const clang::Stmt* statement, const ThreadFlow& flow) {
  Threads threads;
  for (const auto& guard : flow.guards(statement))
    read_condition(guard.condition, guard.taken, flow, threads);
  return threads;
}

Threads threads_left_at(const clang::Stmt* statement, const ThreadFlow& flow) {
  auto threads = threads_at(statement, flow);
  for (const auto* condition : flow.deciding(statement)) {
    const auto* branch = branch_of(condition, flow);
    const auto* exit = branch ? flow.exit_under(branch->getCond()) : nullptr;
    // Who is still there has not taken the way out.
    if (exit && !flow.contains(branch, statement))
      read_condition(branch->getCond(), !flow.contains(branch->getThen(), exit), flow, threads);
  }
  return threads;
}

bool is_first(const ThreadBound& bound) {
  if (!bound.uniform.is_constant() || bound.varying.constant() != 0) return false;
  const auto number = bound.uniform.constant();
  return ((bound.operation == clang::BO_EQ || bound.operation == clang::BO_LE) && number == 0) ||
         (bound.operation == clang::BO_LT && number == 1);
}

bool is_pinned(const ThreadBound& bound) {
  return bound.operation == clang::BO_EQ || is_first(bound);
}

std::optional<std::int64_t> limit_of(const IndexForm& value, const Threads& threads) {
  std::optional<std::int64_t> limit;
  for (const auto& bound : threads.bounds) {
    if (!(bound.varying == value) || !bound.uniform.is_constant()) continue;
    const auto number = bound.uniform.constant();
    if (bound.operation == clang::BO_LT) limit = std::min(limit.value_or(number), number);
    if (bound.operation == clang::BO_LE) limit = std::min(limit.value_or(number + 1), number + 1);
  }
  return limit;
}

}  // namespace msci
