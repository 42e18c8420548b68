// The passes of the checked mode (docs/checked_mode.md), in their order.
#pragma once

#include <memory>

#include "compiler/ir/source_locations.h"
#include "instrument/instrument.h"

namespace msci {

// Afterwards the translation has the locations that faults refer to, and its kernels have objects.
// `locations` must outlive the passes.
std::unique_ptr<InstrumentPasses> check_passes(SourceLocations& locations);

}  // namespace msci
