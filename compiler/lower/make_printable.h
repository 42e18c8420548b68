#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards the IR has only what print() has text for, where an expansion exists: memory copies
// are loops, class tests of halves and saturating conversions are comparisons, vectors are OpenCL's
// (vectors.h), integers have at most 64 bits (wide_integers.h), multiply-adds that may be
// contracted are llvm.fmuladd.
void make_printable(llvm::Module& ir);

}  // namespace msci
