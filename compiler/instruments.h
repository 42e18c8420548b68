// The list of instruments whose passes a translation may have.
#pragma once

#include <memory>

#include "compiler/ir/source_locations.h"
#include "compiler/numeric_meaning.h"
#include "compiler/purpose.h"
#include "instrument/instrument.h"

namespace msci {

// The passes for a purpose; null for plain running. `meaning` is that of numerics. `locations` must
// outlive them.
std::unique_ptr<InstrumentPasses> passes_for(TranslationPurpose purpose,
                                             const NumericMeaning& meaning,
                                             SourceLocations& locations);

}  // namespace msci
