// Reports on their way from one process to another.
#pragma once

#include <string>
#include <string_view>

#include "lint/mend.h"

namespace msci {

std::string to_wire(const Result<Examination>& examination);

// The examination, or the error, that was sent. Errors: also bytes that are neither.
Result<Examination> from_wire(std::string_view bytes);

}  // namespace msci
