// A way round a fault of LLVM.
#pragma once

namespace llvm {
class Module;
}  // namespace llvm

namespace msci::engine {

// Keeps from the code generator which lanes of a vector are constant where others are not: it loads
// them from a variable, in functions that multiply vectors of 64-bit numbers. LLVM 22 generates
// wrong code for x86-64 if such a vector leads to a product of which only the upper halves are
// used, and so does its own `llc`. To be called after all optimisations.
void hide_partial_constants(llvm::Module& module);

}  // namespace msci::engine
