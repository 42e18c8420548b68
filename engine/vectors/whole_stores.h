// Stores of rows whose lanes all run, on processors without registers for masks.
#pragma once

namespace llvm {
class Module;
}  // namespace llvm

namespace msci::engine {

// A long store under a mask becomes a branch: a plain store if all lanes of the mask are set, and
// the one under the mask otherwise. With AVX2, processors of AMD take many times as long for a
// store under a mask. To be called after all optimisations.
void store_whole_rows(llvm::Module& module);

}  // namespace msci::engine
