#include <clang/AST/Decl.h>
#include <clang/AST/TypeLoc.h>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

}  // namespace

extern constinit const Rule function_pointer{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto pointers =
              declaratorDecl(hasType(pointerType(pointee(ignoringParens(functionType())))),
                             // A template's parameter is a constant: the call is direct.
                             unless(anyOf(isInstantiated(), nonTypeTemplateParmDecl())))
                  .bind("variable");
          for (const auto& found : match(pointers, unit)) {
            const auto& variable = *found.getNodeAs<clang::DeclaratorDecl>("variable");
            // Only where it is written so: `auto` and `T` may stand for anything.
            const auto written = variable.getTypeSourceInfo()->getTypeLoc();
            if (written.getUnqualifiedLoc().getAs<clang::PointerTypeLoc>())
              report(variable.getLocation(), "pointers to functions are not supported in Metal");
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
