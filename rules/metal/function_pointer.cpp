#include <clang/AST/Decl.h>
#include <clang/AST/TypeLoc.h>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// Metal has them since metal2.1.
void report_pointer(const clang::DeclaratorDecl& variable, const Unit& unit, Reporter& report) {
  if (unit.version().number < 210)
    report(variable.getLocation(), "pointers to functions are not allowed");
  else
    report(variable.getLocation(), "pointers to functions prevent inlining, which is slow")
        .severity(Severity::warning);
}

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
              report_pointer(variable, unit, report);
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
