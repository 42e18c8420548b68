// Whether all that was printed got out.
#pragma once

#include <optional>

#include "lint/metal/result.h"

namespace msci {

// Writes what standard output still holds. Why some of it, now or before, could not be written;
// nothing where all of it was.
std::optional<Error> flush_standard_output();

}  // namespace msci
