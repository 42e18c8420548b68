#include <clang/AST/Decl.h>

#include "lint/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

}  // namespace

extern constinit const Rule threadgroup_variable{
    .severity = Severity::error,
    .adopt =
        [](const Unit&, const Diagnostic& diagnostic, Finding& finding) {
          if (diagnostic.message.find("loader_uninitialized") == std::string::npos)
            return Adoption::none;
          finding.message = "variables in the threadgroup address space cannot have an initializer";
          finding.fixes.clear();
          return Adoption::finding;
        },
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto locals = varDecl(isStaticLocal()).bind("variable");
          for (const auto& found : match(locals, unit)) {
            const auto& variable = *found.getNodeAs<clang::VarDecl>("variable");
            const auto* function =
                llvm::dyn_cast_or_null<clang::FunctionDecl>(variable.getParentFunctionOrMethod());
            if (!function || space_of(variable.getType()) != Space::threadgroup) continue;
            if (unit.attribute(*function, "kernel")) continue;
            report(variable.getLocation(),
                   "variables in the threadgroup address space cannot be declared in a "
                   "non-qualified function");
          }
        },
    .checks_broken = true,
};

}  // namespace msci
