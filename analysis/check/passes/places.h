// Source locations in the IR of checked kernels.
#pragma once

#include "compiler/ir/source_locations.h"

namespace llvm {
class Module;
}

namespace msci {

// The metadata of a barrier's call that holds its location's number.
constexpr const char* place_metadata = "msci.place";

// Afterwards barriers carry their location, each loop calls
// msci.check.loop(location) in every iteration, and the module has no debug information.
void mark_places(llvm::Module& ir, SourceLocations& locations);

}  // namespace msci
