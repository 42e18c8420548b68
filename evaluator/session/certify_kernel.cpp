#include "evaluator/session/certify_kernel.h"

#include <fmt/format.h>

#include "analysis/coverage/certificate.h"
#include "analysis/coverage/passes/certify.h"
#include "base/json.h"
#include "base/process/isolated_result.h"

namespace msci {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CertifiedOutcome, kernel, file, line, column, condition, status,
                                   of_data, of_threads, constants, of_value, copies)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(UncheckedOutcome, run, outcome)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Certificate, outcomes, wanted_sizes, rare_runs, unchecked,
                                   only_in_wrong_run)

Result<Certificate> certify_isolated(const Translation& translation,
                                     const OutcomeRecords& records) {
  // A verdict asks three times at most.
  constexpr Limits limits{.seconds = 10};
  const auto failed = fmt::format("could not make the certificate of {}", translation.source_name);
  const auto outcome = run_isolated(
      [&] {
        return to_msgpack<Certificate>(certify(translation, records, [](const Certificate& part) {
          keep(to_msgpack<Certificate>(part));
        }));
      },
      limits);
  const auto* failure = outcome ? std::get_if<WorkFailure>(&*outcome) : nullptr;
  if (!failure || failure->kept.empty()) return result_in<Certificate>(outcome, {failed});
  auto part = from_msgpack<Certificate>(failure->kept);
  if (part) part->cut = fmt::format("{}: {}", failed, failure->reason);
  return part;
}

}  // namespace msci
