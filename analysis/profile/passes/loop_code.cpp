#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

#include "analysis/profile/instruction_costs.h"
#include "analysis/profile/passes/count_work.h"
#include "compiler/frontend/optimise.h"

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
      code.instructions = llvm::SaturatingAdd(code.instructions, part.instructions);
      code.has_loop |= part.has_loop;
    }
    for (const auto* block : loop.blocks())
      if (loops_.getLoopFor(block) == &loop) code.instructions += instructions_of(*block);
    const auto hint = llvm::getOptionalIntLoopAttribute(&loop, ignored_unroll_hint);
    const auto iterations = hint ? evolution_.getSmallConstantTripCount(&loop) : 0;
    const auto copies = hint ? copies_of(*hint, iterations) : 1;
    code.instructions = llvm::SaturatingMultiply(code.instructions, copies);
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

  // Of the body of a loop with a hint that runs so many times; 0: that is not known.
  static std::size_t copies_of(int hint, unsigned iterations) {
    if (hint == 0) return std::max(1U, iterations);
    const auto asked = static_cast<std::size_t>(hint);
    return iterations == 0 ? asked : std::min<std::size_t>(asked, iterations);
  }

  const KernelWork& work_;
  llvm::LoopInfo& loops_;
  llvm::TargetLibraryInfoImpl library_info_;
  llvm::TargetLibraryInfo library_;
  llvm::AssumptionCache assumptions_;
  llvm::ScalarEvolution evolution_;
  std::size_t largest_ = 0;
};

// Of the chain that ends with an instruction.
struct Chain {
  double cycles = 0;
  unsigned device = 0;  // loads
  unsigned threadgroup = 0;

  void follow(const Chain& other) {
    cycles = std::max(cycles, other.cycles);
    device = std::max(device, other.device);
    threadgroup = std::max(threadgroup, other.threadgroup);
  }
};

bool waits_for_device(const llvm::Instruction& instruction, const InstructionWork& work) {
  return work.work == WorkKind::device_load || work.work == WorkKind::constant_load ||
         work.work == WorkKind::private_access ||
         (work.work == WorkKind::atomic && !instruction.use_empty());
}

}  // namespace

std::size_t largest_loop(llvm::Function& kernel, const KernelWork& work,
                         llvm::DominatorTree& dominators, llvm::LoopInfo& loops) {
  return LoopCode(kernel, work, dominators, loops).largest();
}

BlockCode longest_chains(const llvm::BasicBlock& block, const KernelWork& work) {
  llvm::DenseMap<const llvm::Value*, Chain> chains;
  Chain longest;
  Chain barrier;  // what all later instructions wait for
  for (const auto& instruction : block) {
    Chain chain = barrier;
    for (const auto& operand : instruction.operands())
      if (const auto known = chains.find(operand); known != chains.end())
        chain.follow(known->second);
    if (const auto done = work.of(instruction)) {
      chain.cycles += latency_of(done->work);
      if (waits_for_device(instruction, *done)) ++chain.device;
      if (done->work == WorkKind::threadgroup_load) ++chain.threadgroup;
      if (done->work == WorkKind::barrier) barrier = longest;
    }
    longest.follow(chain);
    chains[&instruction] = chain;
  }
  return {.chain = longest.cycles,
          .device_chain = longest.device,
          .threadgroup_chain = longest.threadgroup};
}

}  // namespace msci
