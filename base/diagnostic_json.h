// Diagnostics and what they are made of, for the JSON library, on their way from one process to
// another. It calls these functions by name.
#pragma once

#include "base/diagnostic.h"
#include "base/json.h"

namespace msci {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Location, line, column)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Range, begin, end)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Place, file, range)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Note, place, message)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Edit, place, replacement)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Diagnostic, severity, id, place, message, notes, edits)

}  // namespace msci
