#include <clang/AST/Decl.h>

#include "lint/analysis/expressions.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

}  // namespace

extern constinit const Rule threadgroup_variable{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto locals = varDecl(isStaticLocal()).bind("variable");
          for (const auto& found : match(locals, unit)) {
            const auto& variable = *found.getNodeAs<clang::VarDecl>("variable");
            const auto* function =
                llvm::dyn_cast_or_null<clang::FunctionDecl>(variable.getParentFunctionOrMethod());
            if (!function || space_of(variable.getType()) != Space::threadgroup) continue;
            const auto has = [&](std::string_view stage) {
              return unit.attribute(*function, stage).has_value();
            };
            if (has("kernel") || has("object") || has("mesh")) continue;
            report(variable.getLocation(),
                   "variables in the threadgroup address space cannot be declared in a "
                   "non-qualified function");
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
