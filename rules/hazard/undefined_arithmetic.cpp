#include "lint/rule.h"

namespace msci {
namespace {

DiagnosticMatch match_undefined_arithmetic(const Unit&, const Diagnostic& diagnostic, Finding&) {
  const auto& id = diagnostic.id;
  const bool is_ours =
      diagnostic.severity == Severity::warning &&
      (id == "shift-count-overflow" || id == "shift-count-negative" || id == "division-by-zero");
  return is_ours ? DiagnosticMatch::finding : DiagnosticMatch::none;
}

}  // namespace

extern constinit const Rule undefined_arithmetic{.match_diagnostic = match_undefined_arithmetic};

}  // namespace msci
