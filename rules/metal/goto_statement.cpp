#include <clang/AST/Stmt.h>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

}  // namespace

extern constinit const Rule goto_statement{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& found : match(gotoStmt().bind("goto"), unit))
            report(found.getNodeAs<clang::GotoStmt>("goto")->getGotoLoc(),
                   "goto is not supported in Metal");
          for (const auto& found : match(labelStmt().bind("label"), unit))
            report(found.getNodeAs<clang::LabelStmt>("label")->getIdentLoc(),
                   "labels are not supported in Metal");
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
