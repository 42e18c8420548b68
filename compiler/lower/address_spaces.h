#pragma once

namespace llvm {
class Module;
}

namespace msci {

// What is simplified before. `pointers`: what pointers lie in, and accesses that a thread repeats;
// no two accesses of the source become one.
enum class Tidying { all, pointers };

// Afterwards no atomic access is volatile, program-scope variables in Metal's `constant` space are
// in a space of their own (OpenCL needs __constant for them, and device memory for buffers), and
// every load through a `constant` pointer is marked invariant.
void name_constant_space(llvm::Module& ir);

// Afterwards a pointer is in the address space that it points to, where that follows from its
// origin: generic pointers, and `constant` ones, which point to tables or buffers. Private
// variables hold no addresses any more.
void infer_address_spaces(llvm::Module& ir, Tidying tidying = Tidying::all);

}  // namespace msci
