// The passes of a profile (docs/concepts/profile.md).
#pragma once

#include <memory>

#include "compiler/instrument.h"
#include "compiler/ir/source_locations.h"

namespace msci {

// Afterwards Translation::code says what the kernels' counters count. `locations` must outlive the
// passes.
std::unique_ptr<InstrumentPasses> profile_passes(SourceLocations& locations);

}  // namespace msci
