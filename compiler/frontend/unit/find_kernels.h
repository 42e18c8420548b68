// The kernels of a unit, and the Metal attributes of its declarations. Seen by the front end only.
#pragma once

#include <vector>

#include "compiler/frontend/unit.h"

namespace msci {

std::vector<Attribute> attributes_of(Unit::Impl& unit, const clang::Decl& declaration);

// Sets the unit's kernels, instantiated ones too.
void find_kernels(Unit::Impl& unit);

}  // namespace msci
