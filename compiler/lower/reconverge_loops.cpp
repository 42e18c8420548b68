#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "compiler/convergence.h"
#include "compiler/lower/lowerings.h"

namespace msci {
namespace {

void give_each_loop_one_latch(llvm::Function& kernel) {
  llvm::DominatorTree dominators(kernel);
  llvm::LoopInfo loops(dominators);
  for (auto* loop : loops)
    llvm::simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
}

}  // namespace

void reconverge_loops(llvm::Module& ir) {
  for (auto& kernel : ir) {
    if (kernel.isDeclaration() || !uses_simdgroups(kernel)) continue;
    give_each_loop_one_latch(kernel);
    for (auto* latch : diverging_loops(kernel)) {
      llvm::IRBuilder<> builder(latch->getTerminator());
      auto barrier = ir.getOrInsertFunction("msci.barrier.simdgroup", builder.getVoidTy(),
                                            builder.getInt32Ty());
      auto* call = builder.CreateCall(barrier, builder.getInt32(0));
      call->setConvergent();
      call->setDebugLoc({});  // not of the source: lanes that have left the loop need not come
    }
  }
}

}  // namespace msci
