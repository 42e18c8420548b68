#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards the IR has no test of the class of a half or bfloat, and no saturating conversion from
// a floating-point value to an integer: they are comparisons and choices.
void expand_intrinsics(llvm::Module& ir);

}  // namespace msci
