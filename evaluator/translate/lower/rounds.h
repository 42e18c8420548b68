#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Afterwards threads of a simdgroup that part within one round of a loop wait for each other before
// the next, so that a simdgroup function never combines two rounds. Comes last: it adds calls that
// optimisation must not move.
void meet_after_rounds(llvm::Module& ir);

}  // namespace msci
