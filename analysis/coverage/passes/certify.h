// Makes the certificate of the kernels of a translation from what its runs have recorded, and
// proves that other outcomes are impossible in all launches of the task.
#pragma once

#include "analysis/coverage/certificate.h"
#include "base/result.h"

namespace msci {

// `translation`: one that records outcomes. An outcome is impossible if LLVM folds its condition
// with what is known of all launches. Errors: IR that cannot be read, or without outcomes.
Result<Certificate> certify(const Translation& translation, const OutcomeRecords& records);

}  // namespace msci
