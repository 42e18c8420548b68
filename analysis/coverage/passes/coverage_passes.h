// The pass of the certificate of a strict verdict (docs/concepts/coverage.md).
#pragma once

#include <memory>

#include "compiler/instrument.h"
#include "compiler/ir/source_locations.h"

namespace msci {

// Afterwards the IR of the translation lists the outcomes that runs can see (cover_outcomes.h).
// `locations` must outlive the passes.
std::unique_ptr<InstrumentPasses> coverage_passes(SourceLocations& locations);

}  // namespace msci
