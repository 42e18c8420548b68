// Checks that standard output was written.
#pragma once

#include <optional>

#include "base/result.h"

namespace msci {

// Flushes standard output. Returns an Error if this, or an earlier write, failed.
[[nodiscard]] std::optional<Error> flush_standard_output();

}  // namespace msci
