#include <clang/AST/Decl.h>

#include "lint/analysis/expressions.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

}  // namespace

extern constinit const Rule static_local{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& found : match(varDecl(isStaticLocal()).bind("variable"), unit)) {
            const auto& variable = *found.getNodeAs<clang::VarDecl>("variable");
            const auto type = variable.getType();
            if (type->isDependentType() || type->isReferenceType()) continue;
            if (variable.getTSCSpec() != clang::TSCS_unspecified)
              continue;  // metal.thread_local_storage
            if (space_of(type) == Space::thread)
              report(variable.getLocation(),
                     "variables in function scope cannot be declared static");
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
