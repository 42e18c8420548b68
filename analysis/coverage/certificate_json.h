// Certificates as JSON, between the processes of one build.
#pragma once

#include "analysis/coverage/certificate.h"
#include "base/json.h"

namespace msci {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CertifiedOutcome, kernel, file, line, column, condition, status,
                                   of_data, of_threads, constants, of_value, copies)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(UncheckedOutcome, run, outcome)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Certificate, outcomes, wanted_sizes, rare_runs, unchecked,
                                   only_in_wrong_run)

}  // namespace msci
