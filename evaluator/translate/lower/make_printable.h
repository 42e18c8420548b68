#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards only what print() knows is left: memory copies are loops, vectors are OpenCL's
// (vectors.h), multiply-adds that may be contracted are llvm.fmuladd.
void make_printable(llvm::Module& ir);

}  // namespace msci
