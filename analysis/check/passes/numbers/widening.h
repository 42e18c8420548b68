// A kernel whose narrow variables have 32 bits.
#pragma once

#include "compiler/ir/source_locations.h"

namespace llvm {
class Function;
}

namespace msci {

// Afterwards a variable of 8 or 16 bits keeps what check_narrowing() reports as cut: what reads it
// sees all 32 bits. What was in memory stays narrow. Variables are in registers.
void widen_narrow_variables(llvm::Function& kernel, SourceLocations& locations);

}  // namespace msci
