#include "instrument/profile/passes/loop_code.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

#include "frontend/optimise.h"

namespace msci {
namespace {

class LoopCode {
 public:
  LoopCode(llvm::Function& kernel, const KernelWork& work, llvm::DominatorTree& dominators,
           llvm::LoopInfo& loops)
      : work_(work),
        loops_(loops),
        library_info_(kernel.getParent()->getTargetTriple()),
        library_(library_info_),
        assumptions_(kernel),
        evolution_(kernel, library_, assumptions_, dominators, loops) {}

  std::size_t largest() {
    for (const auto* loop : loops_) of(*loop);
    return largest_;
  }

 private:
  struct Code {
    std::size_t instructions = 0;
    bool has_loop = false;
  };

  Code of(const llvm::Loop& loop) {
    Code code;
    for (const auto* inner : loop) {
      const auto part = of(*inner);
      code.instructions += part.instructions;
      code.has_loop |= part.has_loop;
    }
    for (const auto* block : loop.blocks())
      if (loops_.getLoopFor(block) == &loop) code.instructions += instructions_of(*block);
    const auto iterations = evolution_.getSmallConstantTripCount(&loop);
    const auto copies = copies_of(loop, iterations);
    code.instructions *= copies;
    if (iterations > 0 && copies == iterations) return code;
    if (!code.has_loop) largest_ = std::max(largest_, code.instructions);
    code.has_loop = true;
    return code;
  }

  std::size_t instructions_of(const llvm::BasicBlock& block) const {
    std::size_t instructions = 0;
    for (const auto& instruction : block)
      if (const auto work = work_.of(instruction)) instructions += work->count;
    return instructions;
  }

  // Of the loop's body, one after the other, where it runs so many times; 0: not known.
  static std::size_t copies_of(const llvm::Loop& loop, unsigned iterations) {
    const auto hint = llvm::getOptionalIntLoopAttribute(&loop, ignored_unroll_hint);
    if (!hint) return 1;
    if (*hint == 0) return std::max(1U, iterations);
    return iterations == 0 ? *hint : std::min<std::size_t>(*hint, iterations);
  }

  const KernelWork& work_;
  llvm::LoopInfo& loops_;
  llvm::TargetLibraryInfoImpl library_info_;
  llvm::TargetLibraryInfo library_;
  llvm::AssumptionCache assumptions_;
  llvm::ScalarEvolution evolution_;
  std::size_t largest_ = 0;
};

}  // namespace

std::size_t largest_loop(llvm::Function& kernel, const KernelWork& work,
                         llvm::DominatorTree& dominators, llvm::LoopInfo& loops) {
  return LoopCode(kernel, work, dominators, loops).largest();
}

}  // namespace msci
