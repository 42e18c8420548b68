// Checks of values that come from other lanes.
#pragma once

#include "compiler/ir/source_locations.h"

namespace llvm {
class Module;
}

namespace msci {

// Afterwards a value that a thread read from an inactive lane is tracked, through registers and
// other lanes, and reported where something depends on it: a stored value, an address, a branch.
// Reading it alone is not a fault. Runs after check_accesses, whose calls depend on addresses.
void check_lanes(llvm::Module& ir, SourceLocations& locations);

}  // namespace msci
