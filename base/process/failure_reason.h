// Why a program failed, for a person.
#pragma once

#include <string>

#include "base/process/run_command.h"

namespace msci {

// "it ended with status 3: no key": the exit status and one line of standard error. That is the
// last line that says "error", else the last that begins with the name of a program, else the last
// that does more than point to help.
std::string failure_reason(const CommandResult& result);

}  // namespace msci
