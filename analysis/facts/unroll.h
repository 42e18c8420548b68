// Loops whose iterations are better seen one by one.
#pragma once

namespace llvm {
class Function;
}

namespace msci::prover {

// Brings loops into LLVM's LCSSA form, each with a preheader, one latch and exits of its own, and
// replaces switches by branches.
void normalise_loops(llvm::Function& kernel);

// Unrolls loops with a known small number of iterations that have a barrier, or a counter that is
// no sum, as that of `stride /= 2`. Normalises loops; returns whether it unrolled any.
bool unroll(llvm::Function& kernel);

}  // namespace msci::prover
