#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards no atomic access is volatile, program-scope variables in Metal's `constant` space live
// in a space of their own (OpenCL wants
// __constant for them, and device memory for buffers), and every load through a `constant` pointer
// is marked invariant.
void name_constant_space(llvm::Module& ir);

// Afterwards a pointer is in the space that it points to, wherever that follows from where it came
// from: generic ones, and `constant` ones, which are tables or buffers. Private variables hold no
// addresses any more.
void infer_address_spaces(llvm::Module& ir);

}  // namespace msci
