// Being told to end.
#pragma once

#include "base/process/fd.h"
#include "base/result.h"

namespace msci {

// A descriptor that becomes readable at SIGTERM and SIGINT, which no longer end the process.
// Errors: the system has no descriptor left; the signals then end the process as before.
Result<Fd> open_termination_signals();

}  // namespace msci
