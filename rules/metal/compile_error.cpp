#include "lint/rule.h"

namespace msci {

extern constinit const Rule compile_error{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit&, const Diagnostic& diagnostic, Finding&) {
          // The compiler stops counting; what it has counted is reported.
          if (diagnostic.message.starts_with("too many errors emitted"))
            return DiagnosticMatch::consequence;
          return diagnostic.severity == Severity::error ? DiagnosticMatch::finding
                                                        : DiagnosticMatch::none;
        },
    .matches_last = true,
};

}  // namespace msci
