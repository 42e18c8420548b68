#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <fmt/format.h>

#include "lint/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

bool is_known(const clang::Expr& e, const clang::ASTContext& ast) {
  clang::Expr::EvalResult result;
  return e.isValueDependent() || e.EvaluateAsInt(result, ast);
}

}  // namespace

extern constinit const Rule division_in_loop{
    .severity = Severity::note,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto loop = mapAnyOf(forStmt, whileStmt, doStmt);
          const auto in_body = stmt(hasAncestor(stmt(loop.with(hasBody(stmt().bind("body"))))));
          const auto divisions = binaryOperator(hasAnyOperatorName("/", "%", "/=", "%="), in_body,
                                                unless(isInTemplateInstantiation()))
                                     .bind("division");
          for (const auto& found : match(divisions, unit)) {
            const auto& division = *found.getNodeAs<clang::BinaryOperator>("division");
            const auto& body = *found.getNodeAs<clang::Stmt>("body");
            const auto& sources = unit.ast().getSourceManager();
            // Not in the loop's head, where it is said once.
            const bool is_inside =
                !sources.isBeforeInTranslationUnit(division.getBeginLoc(), body.getBeginLoc());
            const auto type = division.getType();
            if (!is_inside || type->isDependentType() || !type->isIntegerType() ||
                is_known(*division.getRHS(), unit.ast()))
              continue;
            report(division.getOperatorLoc(),
                   "an integer is divided by a variable in every round of this loop");
          }
        },
};

}  // namespace msci
