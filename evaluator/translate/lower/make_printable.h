#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards only what print() knows is left: memory copies are loops, vectors live in loads,
// stores, element accesses and bit casts only, multiply-adds that may be contracted are
// llvm.fmuladd.
void make_printable(llvm::Module& ir);

}  // namespace msci
