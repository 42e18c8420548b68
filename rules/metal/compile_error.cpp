#include "lint/rule.h"

namespace msci {

extern constinit const Rule compile_error{
    .severity = Severity::error,
    .adopt =
        [](const Unit&, const Diagnostic& diagnostic, Finding&) {
          // The compiler stops counting; what it has counted is reported.
          if (diagnostic.message.starts_with("too many errors emitted"))
            return Adoption::consequence;
          return diagnostic.severity == Severity::error ? Adoption::finding : Adoption::none;
        },
    .adopts_last = true,
};

}  // namespace msci
