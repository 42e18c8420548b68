// How long the loops of a kernel are in the machine code of an Apple GPU.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include "instrument/profile/passes/work_of.h"

namespace msci {

// The instructions of the largest loop without a loop in it. A loop that the source asks to unroll
// is as long as its iterations together, even where the profiled form of the kernel has kept it.
std::size_t largest_loop(llvm::Function& kernel, const KernelWork& work,
                         llvm::DominatorTree& dominators, llvm::LoopInfo& loops);

}  // namespace msci
