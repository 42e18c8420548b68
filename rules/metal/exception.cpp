#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "lint/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

}  // namespace

extern constinit const Rule exception{
    .severity = Severity::error,
    .adopt =
        [](const Unit&, const Diagnostic& diagnostic, Finding&) {
          // The check says it better.
          return diagnostic.message.ends_with("with exceptions disabled") ? Adoption::consequence
                                                                          : Adoption::none;
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
    .checks_broken = true,
};

}  // namespace msci
