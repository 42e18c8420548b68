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

// Whether some threads of a threadgroup may have returned, or gone another way, when others reach a
// barrier. Metal's GPUs take it; OpenCL does not define it.
bool may_part_at_barrier(llvm::Function& kernel);

// The reachable blocks, each after those that lead to it, and a loop's blocks before what follows
// the loop. Threads that part meet again when those at the earliest place in this order go first.
std::vector<llvm::BasicBlock*> reconvergence_order(llvm::Function& kernel);

}  // namespace msci
