#include <clang/AST/ExprCXX.h>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

constexpr LanguageVersion first_with_lambdas{320};

}  // namespace

extern constinit const Rule lambda{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          if (unit.version().number >= first_with_lambdas.number) return;
          for (const auto& found : match(lambdaExpr().bind("lambda"), unit))
            report(found.getNodeAs<clang::LambdaExpr>("lambda")->getBeginLoc(),
                   "lambda expressions are not supported in Metal");
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
