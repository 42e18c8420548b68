#include <clang/AST/Decl.h>

#include "lint/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

}  // namespace

extern constinit const Rule variadic_function{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& found : match(functionDecl(isVariadic()).bind("function"), unit))
            report(found.getNodeAs<clang::FunctionDecl>("function")->getLocation(),
                   "variadic functions are not supported in Metal");
        },
    .checks_broken = true,
};

}  // namespace msci
