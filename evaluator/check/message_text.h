// The text of a message that a kernel writes to an os_log.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tasks/plan/program.h"

namespace msci {

// The format of the call, filled with the values of its arguments (KernelMessage::words). It
// follows printf() with the vectors of OpenCL ("%v4f") and the privacy of os_log ("%{public}d").
// Where a conversion does not fit its argument, the value is shown as what it is; "?" stands for a
// value that is not known. At most 1000 bytes, without a line break at the end.
std::string message_text(const DebugCall& call, std::span<const std::uint64_t> words);

}  // namespace msci
