// Casts to narrow numbers that the source writes down.
#pragma once

#include <set>

#include "compiler/frontend/unit.h"

namespace msci {

// The lines of the source itself with a cast to an integer or a float of 8 or 16 bits, by name.
std::set<unsigned> lines_of_narrow_casts(const Unit& unit);

}  // namespace msci
