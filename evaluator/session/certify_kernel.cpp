#include "evaluator/session/certify_kernel.h"

#include <fmt/format.h>

#include "analysis/coverage/certificate_json.h"
#include "analysis/coverage/passes/certify.h"
#include "base/process/isolated_result.h"

namespace msci {

Result<Certificate> certify_isolated(const Translation& translation,
                                     const OutcomeRecords& records) {
  constexpr Limits limits{.seconds = 30};
  const auto failed = fmt::format("could not make the certificate of {}", translation.source_name);
  return run_isolated_for<Certificate>([&] { return certify(translation, records); }, limits,
                                       {failed});
}

}  // namespace msci
