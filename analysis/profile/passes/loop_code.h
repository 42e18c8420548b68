// How long the loops of a kernel are in the machine code of an Apple GPU.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include "analysis/profile/passes/work_of.h"

namespace msci {

// The instructions of the largest loop without a loop in it. Of a loop that the source asks to
// unroll, the copies of its body count: where these are all iterations, it is part of the loop
// around it. The length has no limit: with very many iterations, it exceeds that of any real code.
std::size_t largest_loop(llvm::Function& kernel, const KernelWork& work,
                         llvm::DominatorTree& dominators, llvm::LoopInfo& loops);

}  // namespace msci
