// Clang's optimiser on the IR of a unit.
#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards no function of ours calls another: kernels are all that is left.
void inline_everything(llvm::Module& ir);

// Clang's O2 without vectorisation: the driver's compiler knows its machine better. Loops with
// known bounds unroll, and small private arrays become registers.
void optimise(llvm::Module& ir);

}  // namespace msci
