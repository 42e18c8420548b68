#include "lint/rule.h"

namespace msci {

extern constinit const Rule compile_error{
    .severity = Severity::error,
    .adopt =
        [](const Unit&, const Diagnostic& diagnostic, Finding&) {
          return diagnostic.severity == Severity::error ? Adoption::finding : Adoption::none;
        },
    .adopts_last = true,
};

}  // namespace msci
