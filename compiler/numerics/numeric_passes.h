// The passes that give arithmetic on floats one of the meanings that fast math allows.
#pragma once

#include <memory>

#include "compiler/instrument.h"
#include "compiler/ir/source_locations.h"
#include "compiler/numeric_meaning.h"

namespace msci {

// `locations` must outlive them.
std::unique_ptr<InstrumentPasses> numeric_passes(const NumericMeaning& meaning,
                                                 SourceLocations& locations);

}  // namespace msci
