#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards threads of a simdgroup that diverge within one iteration of a loop wait for each other
// before the next, so that a simdgroup function never combines values of two iterations.
// Optimisation must not move the calls that it adds.
void reconverge_loops(llvm::Module& ir);

}  // namespace msci
