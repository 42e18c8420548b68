// Makes certificates in a process of its own: LLVM may not survive a candidate's code.
#pragma once

#include "analysis/coverage/certificate.h"
#include "base/result.h"

namespace msci {

// As certify(). Errors: also that the process dies or meets a limit, or cannot be started.
Result<Certificate> certify_isolated(const Translation& translation, const OutcomeRecords& records);

}  // namespace msci
