#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/changed_variables.h"
#include "lint/rule.h"

namespace msci {
namespace {

bool is_known(const clang::Expr& e, const clang::ASTContext& ast) {
  clang::Expr::EvalResult result;
  return e.isValueDependent() || e.EvaluateAsInt(result, ast);
}

bool is_division(const clang::BinaryOperator& op) {
  const auto kind = op.getOpcode();
  return kind == clang::BO_Div || kind == clang::BO_Rem || kind == clang::BO_DivAssign ||
         kind == clang::BO_RemAssign;
}

bool names_function_constant(const clang::Expr& e, const Unit& unit) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e.IgnoreParenImpCasts());
  return name && unit.attribute(*name->getDecl(), "function_constant").has_value();
}

struct Loop {
  const clang::Stmt* body = nullptr;
  VariableSet changed;  // or declared in each round

  bool changes(const clang::Stmt* part) const {
    return mentions_any(part, changed) || has_call(part);
  }
};

// `n % d` and `n / d` of the same loop are one division.
struct Division {
  const clang::BinaryOperator* op = nullptr;
  const clang::Stmt* loop = nullptr;
};

// Integers that are divided in the body of a loop. Templates are looked at as they are written.
class Divisions : public clang::DynamicRecursiveASTVisitor {
  using Base = clang::DynamicRecursiveASTVisitor;

 public:
  explicit Divisions(const Unit& unit) : unit_(unit) {}
  std::vector<Division> found;

  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (is_division(*op) && !loops_.empty() && !op->getType()->isDependentType() &&
        op->getType()->isIntegerType() && is_in_body(*op) && is_repeated(*op) && is_new(*op))
      found.push_back({op, loops_.back().body});
    return true;
  }
  bool TraverseForStmt(clang::ForStmt* loop) override {
    return within(*loop, [&] { return Base::TraverseForStmt(loop); });
  }
  bool TraverseWhileStmt(clang::WhileStmt* loop) override {
    return within(*loop, [&] { return Base::TraverseWhileStmt(loop); });
  }
  bool TraverseDoStmt(clang::DoStmt* loop) override {
    return within(*loop, [&] { return Base::TraverseDoStmt(loop); });
  }

 private:
  template <typename Statement, typename Traverse>
  bool within(Statement& loop, Traverse traverse) {
    auto changed = changed_in(loop);
    changed.merge(declared_in(loop));
    loops_.push_back({loop.getBody(), std::move(changed)});
    const bool goes_on = traverse();
    loops_.pop_back();
    return goes_on;
  }

  // Not in the loop's head, where it is said once.
  bool is_in_body(const clang::BinaryOperator& op) const {
    return !unit_.ast().getSourceManager().isBeforeInTranslationUnit(
        op.getBeginLoc(), loops_.back().body->getBeginLoc());
  }
  // Compilers move what never changes out of a loop, and pipelines know function constants. Where
  // each round has a divisor of its own, as in a walk over the dimensions of a shape, no counter
  // takes the division's place.
  bool is_repeated(const clang::BinaryOperator& op) const {
    const auto* divisor = op.getRHS()->IgnoreParenImpCasts();
    if (names_function_constant(*divisor, unit_)) return false;
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(divisor);
    if (element && loops_.back().changes(element->getIdx())) return false;
    return std::any_of(loops_.begin(), loops_.end(), [&](const Loop& loop) {
      return op.isAssignmentOp() || loop.changes(op.getLHS()) || loop.changes(divisor);
    });
  }
  bool is_new(const clang::BinaryOperator& op) const {
    return std::none_of(found.begin(), found.end(), [&](const Division& other) {
      return other.loop == loops_.back().body &&
             is_same(*other.op->getLHS(), *op.getLHS(), unit_.ast()) &&
             is_same(*other.op->getRHS(), *op.getRHS(), unit_.ast());
    });
  }

  const Unit& unit_;
  std::vector<Loop> loops_;  // the innermost is the last
};

}  // namespace

extern constinit const Rule division_in_loop{
    .severity = Severity::note,
    .check =
        [](const Unit& unit, Reporter& report) {
          Divisions divisions(unit);
          divisions.TraverseAST(unit.ast());
          for (const auto& [division, loop] : divisions.found)
            if (!is_known(*division->getRHS(), unit.ast()))
              report(division->getOperatorLoc(),
                     "an integer is divided by a variable in every iteration of this loop");
        },
};

}  // namespace msci
