// Where infinity and NaN come from.
#pragma once

#include <vector>

#include "compiler/ir/source_locations.h"
#include "tasks/plan/program.h"

namespace llvm {
class Module;
}

namespace msci {

// Takes from operations on floats the promise that nothing is infinite or NaN. Comes before all
// steps that could use it.
void allow_not_finite(llvm::Module& ir);

// Afterwards an operation that makes infinity from finite numbers, or NaN from others, is reported
// with its operands and the element of a buffer that one of them comes from. Each pointer's
// address space is known, and accesses have no checks yet.
void check_births(llvm::Module& ir, const std::vector<KernelSignature>& kernels,
                  SourceLocations& locations);

}  // namespace msci
