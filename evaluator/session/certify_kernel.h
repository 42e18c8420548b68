// Makes certificates in a process of its own: LLVM may not survive a candidate's code.
#pragma once

#include "analysis/coverage/certificate.h"
#include "base/result.h"

namespace msci {

// As certify(), within 10 s of processor time. Where the process dies or meets a limit, the
// certificate is what it has said until then, and cut. Errors: also that it has said nothing, or
// cannot be started.
Result<Certificate> certify_isolated(const Translation& translation, const OutcomeRecords& records);

}  // namespace msci
