#include <clang/AST/Decl.h>

#include "lint/analysis/functions/signatures.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

std::string variadic_fault(const clang::FunctionDecl& function, const Unit& unit) {
  if (stage_of(function, unit) != FunctionStage::none)
    return "invalid prototype, variadic arguments are not allowed in Metal qualified functions";
  return "variadic functions are not supported in Metal";
}

}  // namespace

extern constinit const Rule variadic_function{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& found : match(functionDecl(isVariadic()).bind("function"), unit)) {
            const auto& function = *found.getNodeAs<clang::FunctionDecl>("function");
            // Those that Clang knows by itself it names where it looks for a similar name.
            if (function.getBuiltinID() == 0)
              report(function.getLocation(), variadic_fault(function, unit));
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
