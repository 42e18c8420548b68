// Names that belong to the translation.
#pragma once

#include <optional>

#include "base/result.h"
#include "compiler/frontend/unit.h"

namespace msci {

// Why a source cannot be translated that gives a declaration an assembler name of ours ("msci.…"):
// its function would take the place of what the checked mode calls, or be called with arguments of
// other types.
[[nodiscard]] std::optional<Error> refuse_own_names(const Unit& unit);

}  // namespace msci
