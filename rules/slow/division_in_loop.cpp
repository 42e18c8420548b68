#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include <utility>
#include <vector>

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

// Integers that are divided in the body of a loop. Templates are looked at as they are written.
class Divisions : public clang::DynamicRecursiveASTVisitor {
  using Base = clang::DynamicRecursiveASTVisitor;

 public:
  explicit Divisions(const clang::SourceManager& sources) : sources_(sources) {}
  std::vector<const clang::BinaryOperator*> found;

  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    // Not in the loop's head, where it is said once.
    if (is_division(*op) && body_ &&
        !sources_.isBeforeInTranslationUnit(op->getBeginLoc(), body_->getBeginLoc()) &&
        !op->getType()->isDependentType() && op->getType()->isIntegerType())
      found.push_back(op);
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
  template <typename Loop, typename Traverse>
  bool within(const Loop& loop, Traverse traverse) {
    const auto* outer = std::exchange(body_, loop.getBody());
    const bool goes_on = traverse();
    body_ = outer;
    return goes_on;
  }

  const clang::SourceManager& sources_;
  const clang::Stmt* body_ = nullptr;  // of the innermost loop
};

}  // namespace

extern constinit const Rule division_in_loop{
    .severity = Severity::note,
    .check =
        [](const Unit& unit, Reporter& report) {
          Divisions divisions(unit.ast().getSourceManager());
          divisions.TraverseAST(unit.ast());
          for (const auto* division : divisions.found)
            if (!is_known(*division->getRHS(), unit.ast()))
              report(division->getOperatorLoc(),
                     "an integer is divided by a variable in every iteration of this loop");
        },
};

}  // namespace msci
