#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

}  // namespace

extern constinit const Rule exception{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit&, const Diagnostic& diagnostic, Finding&) {
          // The check says it better.
          return diagnostic.message.ends_with("with exceptions disabled")
                     ? DiagnosticMatch::consequence
                     : DiagnosticMatch::none;
        },
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& found : match(cxxThrowExpr().bind("throw"), unit))
            report(found.getNodeAs<clang::CXXThrowExpr>("throw")->getThrowLoc(),
                   "exceptions are not supported in Metal");
          for (const auto& found : match(cxxTryStmt().bind("try"), unit))
            report(found.getNodeAs<clang::CXXTryStmt>("try")->getTryLoc(),
                   "exceptions are not supported in Metal");
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
