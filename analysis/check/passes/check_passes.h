// The passes of the checked mode (docs/concepts/checked_mode.md), in their order.
#pragma once

#include <memory>

#include "compiler/instrument.h"
#include "compiler/ir/source_locations.h"

namespace msci {

// How a checked kernel computes with numbers.
enum class CheckedNumbers {
  usual,
  traced,   // all operations on floats are checked, with their operands: that takes much more code
  widened,  // variables of 8 and 16 bits keep 32
};

// Afterwards the translation has the locations that faults refer to, and its kernels have objects.
// `locations` must outlive the passes.
std::unique_ptr<InstrumentPasses> check_passes(SourceLocations& locations,
                                               CheckedNumbers numbers = CheckedNumbers::usual);

// The same for code that is read and never runs: the calls describe each access, index and barrier,
// without its source location. Values and arithmetic are not checked.
std::unique_ptr<InstrumentPasses> access_passes(SourceLocations& locations);

}  // namespace msci
