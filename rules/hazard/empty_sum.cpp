#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/thread_flow.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Whether a value is loaded from a buffer or computed from such values.
bool is_of_data(const clang::Stmt* part, const ThreadFlow& flow, unsigned depth = 0) {
  constexpr unsigned deepest = 10;
  if (!part || depth == deepest) return false;
  if (const auto* access = llvm::dyn_cast<clang::ArraySubscriptExpr>(part)) {
    const auto* base = access->getBase()->IgnoreParenImpCasts();
    if (base->getType()->isPointerType() && space_of(access->getType()) == Space::device)
      return true;
  }
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(part))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
      return is_of_data(flow.only_value(variable), flow, depth + 1);
  return std::any_of(part->child_begin(), part->child_end(),
                     [&](const auto* child) { return is_of_data(child, flow, depth + 1); });
}

const clang::VarDecl* variable_in(const clang::Expr& value) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value.IgnoreParenCasts());
  return name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
}

// What is done to one variable.
struct SumChanges {
  std::vector<const clang::Stmt*> in_loops;  // sums under a condition on data
  bool others = false;
  bool is_tested = false;  // a comparison names it
};

class EmptySums {
 public:
  EmptySums(const ThreadFlow& flow, Reporter& report) : flow_(flow), report_(report) {}

  void run() {
    for (const auto* statement : flow_.statements()) note(*statement);
    for (const auto* statement : flow_.statements())
      if (const auto* quotient = llvm::dyn_cast<clang::BinaryOperator>(statement);
          quotient &&
          (quotient->getOpcode() == clang::BO_Div || quotient->getOpcode() == clang::BO_DivAssign))
        check(*quotient);
  }

 private:
  void note(const clang::Stmt& statement) {
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&statement)) {
      if (unary->isIncrementDecrementOp()) note_sum(*unary, root_variable(unary->getSubExpr()));
      if (unary->getOpcode() == clang::UO_LNot) note_test(*unary->getSubExpr());
      if (unary->getOpcode() == clang::UO_AddrOf)
        if (const auto* variable = root_variable(unary->getSubExpr()))
          changes_[variable].others = true;
      return;
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement)) return note(*call);
    if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(&statement))
      note_test(*choice->getCond());
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(&statement))
      note_test(*branch->getCond());
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&statement);
    if (!binary) return;
    if (binary->isComparisonOp() || binary->isLogicalOp()) {
      note_test(*binary->getLHS());
      note_test(*binary->getRHS());
    }
    if (!binary->isAssignmentOp()) return;
    const auto* variable = root_variable(binary->getLHS());
    if (!variable) return;
    const bool is_sum =
        binary->getOpcode() == clang::BO_AddAssign ||
        (binary->getOpcode() == clang::BO_Assign && mentions(binary->getRHS(), *variable));
    if (is_sum)
      note_sum(*binary, variable);
    else
      changes_[variable].others = true;
  }

  // A function may change what it gets by reference, and a user's function may test what it gets.
  void note(const clang::CallExpr& call) {
    if (!metal_function(call, flow_.unit()).empty()) return;
    for (const auto* argument : call.arguments())
      if (const auto* variable = root_variable(argument)) changes_[variable].others = true;
  }

  void note_test(const clang::Expr& value) {
    if (const auto* variable = variable_in(value)) changes_[variable].is_tested = true;
  }

  void note_sum(const clang::Stmt& statement, const clang::VarDecl* variable) {
    if (!variable) return;
    auto& changes = changes_[variable];
    // `sum = simd_sum(sum)`.
    if (adds_lanes(statement)) return;
    if (condition_on_data(statement) || choice_of_data(statement))
      changes.in_loops.push_back(&statement);
    else
      changes.others = true;
  }

  bool adds_lanes(const clang::Stmt& statement) const {
    const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(&statement);
    const auto* call =
        assignment ? llvm::dyn_cast<clang::CallExpr>(assignment->getRHS()->IgnoreParenImpCasts())
                   : nullptr;
    return call && metal_function(*call, flow_.unit()).starts_with("simd_");
  }

  // The condition on data, within the innermost loop around the statement, that decides whether it
  // is reached; null without one.
  const clang::Expr* condition_on_data(const clang::Stmt& statement) const {
    const auto* body = body_around(statement);
    if (!body) return nullptr;
    for (const auto* condition : flow_.deciding(&statement))
      if (flow_.contains(body, condition) && is_of_data(condition, flow_)) return condition;
    return nullptr;
  }

  // The condition on data of `sum += condition ? x : 0`, in a loop; null for others.
  const clang::Expr* choice_of_data(const clang::Stmt& statement) const {
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(&statement);
    const auto* choice =
        sum && sum->getOpcode() == clang::BO_AddAssign
            ? llvm::dyn_cast<clang::ConditionalOperator>(sum->getRHS()->IgnoreParenImpCasts())
            : nullptr;
    if (!choice || !body_around(statement) || !is_zero(*choice->getFalseExpr()) ||
        !is_of_data(choice->getCond(), flow_))
      return nullptr;
    return choice->getCond();
  }

  const clang::Stmt* body_around(const clang::Stmt& statement) const {
    for (const auto* at = flow_.parent(&statement); at; at = flow_.parent(at)) {
      if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(at)) return loop->getBody();
      if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(at)) return loop->getBody();
    }
    return nullptr;
  }

  bool starts_at_zero(const clang::VarDecl& variable) const {
    return variable.hasLocalStorage() && variable.getInit() && is_zero(*variable.getInit());
  }

  bool is_zero(const clang::Expr& constant) const {
    clang::Expr::EvalResult value;
    if (constant.isInstantiationDependent() ||
        !constant.EvaluateAsRValue(value, flow_.unit().ast()))
      return false;
    return (value.Val.isFloat() && value.Val.getFloat().isZero()) ||
           (value.Val.isInt() && value.Val.getInt().isZero());
  }

  void check(const clang::BinaryOperator& quotient) {
    const auto* variable = variable_in(*quotient.getRHS());
    const auto found = changes_.find(variable);
    if (!variable || found == changes_.end()) return;
    const auto& changes = found->second;
    if (changes.others || changes.is_tested || changes.in_loops.empty() ||
        !starts_at_zero(*variable) || is_guarded(quotient, changes))
      return;
    const auto& sum = *changes.in_loops.front();
    const auto* condition = condition_on_data(sum);
    if (!condition) condition = choice_of_data(sum);
    if (!told_.insert(variable).second || !condition) return;
    report_(quotient.getSourceRange(),
            fmt::format("divides by `{}`, which is 0 if no round of the loop adds to it",
                        variable->getNameAsString()))
        .note(condition->getSourceRange(), "data decide here whether a round adds to it");
  }

  // Whether the quotient lies in a loop that adds to the sum, or a condition on data or on what
  // such loops change leads to it.
  bool is_guarded(const clang::Stmt& quotient, const SumChanges& changes) const {
    for (const auto* sum : changes.in_loops)
      if (const auto* body = body_around(*sum); flow_.contains(body, &quotient)) return true;
    return std::ranges::any_of(flow_.deciding(&quotient), [&](const clang::Expr* condition) {
      return is_of_data(condition, flow_) || std::ranges::any_of(changes_, [&](const auto& each) {
               return each.first && (each.second.others || !each.second.in_loops.empty()) &&
                      mentions(condition, *each.first);
             });
    });
  }

  const ThreadFlow& flow_;
  Reporter& report_;
  std::map<const clang::VarDecl*, SumChanges> changes_;
  std::set<const clang::VarDecl*> told_;
};

}  // namespace

extern constinit const Rule empty_sum{
    .check_flow = [](const ThreadFlow& flow, Reporter& report) { EmptySums(flow, report).run(); },
};

}  // namespace msci
