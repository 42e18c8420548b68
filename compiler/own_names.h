// Names that belong to the translation.
#pragma once

#include <optional>

#include "base/result.h"
#include "compiler/frontend/unit.h"

namespace msci {

// An error if the source gives a declaration an assembler name that begins with "msci.". Such a
// function would replace one that the checked mode calls, or be called with arguments of other
// types.
[[nodiscard]] std::optional<Error> refuse_own_names(const Unit& unit);

}  // namespace msci
