#include <clang/AST/ExprCXX.h>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

}  // namespace

extern constinit const Rule run_time_type{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit&, const Diagnostic& diagnostic, Finding& finding) {
          const auto& message = diagnostic.message;
          // A cast of what has no virtual functions is refused for that before.
          const bool is_cast = message == "use of dynamic_cast requires -frtti" ||
                               message.ends_with("is not polymorphic");
          const bool is_typeid = message == "use of typeid requires -frtti" ||
                                 message.find("<typeinfo>") != std::string::npos;
          if (is_cast) finding.message = "dynamic_cast is not supported in Metal";
          if (is_typeid) finding.message = "typeid is not supported in Metal";
          return is_cast || is_typeid ? DiagnosticMatch::finding : DiagnosticMatch::none;
        },
};

}  // namespace msci
