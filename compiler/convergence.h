// Which threads of a threadgroup wait together, and in which order.
#pragma once

#include <set>
#include <utility>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
}  // namespace llvm

namespace msci {

// Whether a kernel calls a simdgroup or quadgroup function, or a barrier of one.
bool uses_simdgroups(const llvm::Function& kernel);

// Whether a barrier stands where OpenCL devices cannot be trusted with it: where some threads may
// have returned or taken another branch when others reach it (Metal's GPUs allow that, OpenCL
// leaves it undefined), or under a condition other than a loop's own (PoCL 3.1 computes wrong
// results even where all threads agree on it).
bool needs_resumption(llvm::Function& kernel);

// Whether threads of an NVIDIA GPU may come to a simdgroup function one after the other, although
// Metal's come together: behind a loop whose end depends on what an atomic operation returns, or an
// atomic floating-point addition, which is such a loop; or where threads that part at a branch come
// to the function by different ways before all ways from the branch meet.
bool lanes_may_stay_apart(llvm::Function& kernel);

// The latches of loops in whose iterations threads take different ways to simdgroup functions. At
// these latches, threads must meet before the next iteration. Each loop must have one latch.
std::vector<llvm::BasicBlock*> diverging_loops(llvm::Function& kernel);

// The edge of a loop from its latch back to its header.
using BackEdge = std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>;

// The back edges of loops in which a thread waits in some iterations and not in others. Threads
// that resume enter such a loop in the middle.
std::set<BackEdge> back_edges_beside_waits(llvm::Function& kernel);

// The reachable blocks, each after those that lead to it, and a loop's blocks before those that
// follow the loop. Diverged threads meet again when those at the earliest block in this order go
// first.
std::vector<llvm::BasicBlock*> reconvergence_order(llvm::Function& kernel);

}  // namespace msci
