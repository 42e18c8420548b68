#include "lint/rule.h"

namespace msci {
namespace {

DiagnosticMatch match_uninitialised_variable(const Unit&, const Diagnostic& diagnostic, Finding&) {
  const auto& id = diagnostic.id;
  const bool is_ours = diagnostic.severity == Severity::warning &&
                       (id == "uninitialized" || id == "sometimes-uninitialized");
  return is_ours ? DiagnosticMatch::finding : DiagnosticMatch::none;
}

}  // namespace

extern constinit const Rule uninitialised_variable{.match_diagnostic =
                                                       match_uninitialised_variable};

}  // namespace msci
