// Being told to end.
#pragma once

namespace msci {

// A descriptor that becomes readable at SIGTERM and SIGINT, which no longer end the process.
int open_termination_signals();

}  // namespace msci
