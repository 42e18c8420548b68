// Which kernels of a file a long check looks at, and with which function constants.
#pragma once

#include <string>
#include <vector>

#include "compiler/constant_values.h"
#include "compiler/frontend/unit.h"

namespace msci {

// Every function constant gets a value, as a host would give it: what it is for is not known here.
// Integers get `integer`.
ConstantValues typical_constants(const Unit& unit, unsigned integer = 4);

// At most `most` instantiations of each template, evenly spaced; without a limit (0), all kernels.
std::vector<std::string> sample(const Unit& unit, std::size_t most);

}  // namespace msci
