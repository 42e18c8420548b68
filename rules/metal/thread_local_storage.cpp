#include <clang/AST/Decl.h>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

}  // namespace

extern constinit const Rule thread_local_storage{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit&, const Diagnostic& diagnostic, Finding& finding) {
          if (diagnostic.message.find("thread-local storage") == std::string::npos)
            return DiagnosticMatch::none;
          finding.message = "thread-local storage is not supported in Metal";
          return DiagnosticMatch::finding;
        },
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& found :
               match(varDecl(hasThreadStorageDuration()).bind("variable"), unit))
            report(found.getNodeAs<clang::VarDecl>("variable")->getLocation(),
                   "thread-local storage is not supported in Metal");
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
