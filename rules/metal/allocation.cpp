#include <clang/AST/ExprCXX.h>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

}  // namespace

extern constinit const Rule allocation{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& found : match(cxxNewExpr().bind("new"), unit)) {
            const auto& expression = *found.getNodeAs<clang::CXXNewExpr>("new");
            // `new (place) T` takes no memory.
            if (expression.getNumPlacementArgs() == 0)
              report(expression.getBeginLoc(), "'new' is not supported in Metal");
          }
          for (const auto& found : match(cxxDeleteExpr().bind("delete"), unit))
            report(found.getNodeAs<clang::CXXDeleteExpr>("delete")->getBeginLoc(),
                   "'delete' is not supported in Metal");
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
