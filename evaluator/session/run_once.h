// One pass of a session's program.
#pragma once

#include "evaluator/session/session.h"

namespace msci {

// Opens the session, makes the plan of that size and runs it once, without timing. A failure is the
// kernel's: it is refused, does not build, or does not run at that size. Errors are ours: also that
// the device may be to blame.
Result<Attempt<Run>> run_once(Session& session, const Size& size);

}  // namespace msci
