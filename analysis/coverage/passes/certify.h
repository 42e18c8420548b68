// Makes the certificate of the kernels of a translation from what its runs have recorded, and
// proves that other outcomes are impossible in all launches of the task.
#pragma once

#include <functional>

#include "analysis/coverage/certificate.h"
#include "base/result.h"

namespace msci {

// Gets what is known so far, from time to time: answers that take little time come first.
using OnPart = std::function<void(const Certificate& part)>;

// `translation`: one that records outcomes. An outcome is impossible if LLVM folds its condition
// with what is known of all launches. Errors: IR that cannot be read, or without outcomes.
Result<Certificate> certify(const Translation& translation, const OutcomeRecords& records,
                            const OnPart& on_part = nullptr);

}  // namespace msci
