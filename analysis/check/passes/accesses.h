// Checks of device and threadgroup memory.
#pragma once

#include <vector>

#include "compiler/ir/source_locations.h"
#include "tasks/plan/program.h"

namespace llvm {
class Module;
}

namespace msci {

// Afterwards every access to a buffer or a threadgroup array goes where it is let, and is recorded.
// Fills in the kernels' objects. Kernels have the parameters of program.h, and each pointer's
// address space is known.
void check_accesses(llvm::Module& ir, std::vector<KernelSignature>& kernels,
                    SourceLocations& locations);

}  // namespace msci
