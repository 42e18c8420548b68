// Where the programs of msci find each other.
#pragma once

#include <string>
#include <string_view>

#include "lint/metal/result.h"

namespace msci {

// The path of the program `name`: beside the one that asks, as a build leaves them, or where an
// installation keeps what no user starts (libexec/msci). Errors: it is in neither place.
Result<std::string> find_own_program(std::string_view name);

}  // namespace msci
