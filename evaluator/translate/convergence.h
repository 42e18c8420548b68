// Which threads of a threadgroup wait together, and in which order.
#pragma once

#include <vector>

namespace llvm {
class BasicBlock;
class Function;
}  // namespace llvm

namespace msci {

// Whether a kernel calls a simdgroup or quadgroup function, or a barrier of one.
bool uses_simdgroups(const llvm::Function& kernel);

// Whether a barrier stands where OpenCL devices cannot be trusted with it: where some threads may
// have returned or gone another way when others reach it (Metal's GPUs take that, OpenCL does not
// define it), or under any condition but a loop's own (PoCL 3.1 goes wrong even where all threads
// agree on it).
bool needs_resumption(llvm::Function& kernel);

// The latches of loops in whose rounds threads part on their way through the functions that
// uses_simdgroups means: there they have to meet before the next round. Each loop must have just one
// latch.
std::vector<llvm::BasicBlock*> parting_rounds(llvm::Function& kernel);

// The reachable blocks, each after those that lead to it, and a loop's blocks before what follows
// the loop. Threads that part meet again when those at the earliest place in this order go first.
std::vector<llvm::BasicBlock*> reconvergence_order(llvm::Function& kernel);

}  // namespace msci
