// Loops that wait for an atomic operation.
#pragma once

#include "compiler/ir/source_locations.h"

namespace llvm {
class Function;
}

namespace msci {

// Afterwards a thread is reported, and stopped, that goes round a loop very often whose end an
// atomic operation in it decides. A loop that tries to exchange what it has loaded succeeds after a
// few rounds, whatever other threads do; one that waits for other threads may take longer.
void check_spinning_loops(llvm::Function& kernel, SourceLocations& locations);

}  // namespace msci
