#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "analysis/profile/instruction_costs.h"
#include "analysis/profile/passes/count_work.h"

namespace msci {
namespace {

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
