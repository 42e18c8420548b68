#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <vector>

#include "analysis/profile/passes/count_work.h"

namespace msci {
namespace {

class Liveness {
 public:
  Liveness(const llvm::Function& kernel, const KernelWork& work) : kernel_(kernel), work_(work) {
    for (const auto& instruction : llvm::instructions(kernel)) {
      if (!holds_register(instruction)) continue;
      numbers_[&instruction] = static_cast<unsigned>(sizes_.size());
      sizes_.push_back(size_of(instruction));
    }
  }

  LiveRegisters of_blocks(unsigned allowed) {
    solve();
    LiveRegisters needs;
    for (const auto& block : kernel_) {
      const auto most = most_in(block);
      needs[&block] = {most, most > allowed ? spills_of(block, allowed) : 0};
    }
    return needs;
  }

 private:
  bool holds_register(const llvm::Instruction& instruction) const {
    return !instruction.getType()->isVoidTy() && !llvm::isa<llvm::AllocaInst>(instruction) &&
           !is_computed_again(instruction);
  }

  // Where it is used, rather than kept: a value with a constant added.
  bool is_computed_again(const llvm::Instruction& instruction) const {
    const bool adds = instruction.getOpcode() == llvm::Instruction::Add ||
                      instruction.getOpcode() == llvm::Instruction::Or;
    return work_.is_folded(instruction) ||
           (adds && llvm::isa<llvm::Constant>(instruction.getOperand(1)));
  }

  static unsigned size_of(const llvm::Instruction& instruction) {
    auto* type = instruction.getType();
    if (type->isPointerTy()) return 4;
    if (llvm::isa<llvm::CallInst>(instruction) && type->isIntegerTy(64)) return 2;  // a position
    const auto bits = instruction.getDataLayout().getTypeSizeInBits(type).getFixedValue();
    if (type->getScalarSizeInBits() == 1) return 1;
    if (fits_in_half(instruction, instruction.getDataLayout()))
      return static_cast<unsigned>(bits / 32);
    return static_cast<unsigned>((bits + 15) / 16);
  }

  // Those whose registers an operand reads: through what its user does itself.
  template <typename Take>
  void roots(const llvm::Value& value, Take take) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || work_.is_shared(value)) return;
    if (const auto known = numbers_.find(instruction); known != numbers_.end())
      return take(known->second);
    if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction)) return;
    for (const auto& operand : instruction->operands()) roots(*operand, take);
  }

  // Backwards through a block; `visit` sees the live values before each instruction.
  template <typename Visit>
  void walk(const llvm::BasicBlock& block, llvm::BitVector& live, Visit visit) const {
    for (const auto& instruction : llvm::reverse(block)) {
      if (const auto known = numbers_.find(&instruction); known != numbers_.end())
        live.reset(known->second);
      if (!llvm::isa<llvm::PHINode>(instruction) && !is_computed_again(instruction))
        for (const auto& operand : instruction.operands())
          roots(*operand, [&](unsigned number) { live.set(number); });
      visit(live);
    }
  }

  llvm::BitVector live_at_end(const llvm::BasicBlock& block) {
    llvm::BitVector live(static_cast<unsigned>(sizes_.size()));
    for (const auto* successor : llvm::successors(&block)) {
      if (const auto known = before_.find(successor); known != before_.end()) live |= known->second;
      for (const auto& phi : successor->phis())
        roots(*phi.getIncomingValueForBlock(&block), [&](unsigned number) { live.set(number); });
    }
    return live;
  }

  void solve() {
    for (bool changes = true; changes;) {
      changes = false;
      for (const auto* block : llvm::post_order(&kernel_)) {
        auto live = live_at_end(*block);
        walk(*block, live, [](const llvm::BitVector&) {});
        auto& before = before_[block];
        if (before == live) continue;
        before = std::move(live);
        changes = true;
      }
    }
  }

  unsigned most_in(const llvm::BasicBlock& block) {
    auto live = live_at_end(block);
    unsigned most = weight(live);
    walk(block, live, [&](const llvm::BitVector& now) { most = std::max(most, weight(now)); });
    return most;
  }

  unsigned spills_of(const llvm::BasicBlock& block, unsigned allowed) {
    const auto numbers = [](const llvm::BitVector& live) {
      const auto bits = live.set_bits();
      return std::vector<unsigned>(bits.begin(), bits.end());
    };
    std::vector<AllocationStep> steps;
    for (const auto& instruction : block) {
      AllocationStep step;
      if (const auto known = numbers_.find(&instruction); known != numbers_.end())
        step.defines = static_cast<int>(known->second);
      if (!llvm::isa<llvm::PHINode>(instruction) && !is_computed_again(instruction))
        for (const auto& operand : instruction.operands())
          roots(*operand, [&](unsigned number) { step.reads.push_back(number); });
      if (step.defines >= 0 || !step.reads.empty()) steps.push_back(std::move(step));
    }
    constexpr unsigned halves = 2;
    return spilled_registers(steps, numbers(before_[&block]), numbers(live_at_end(block)), sizes_,
                             allowed) /
           halves;
  }

  unsigned weight(const llvm::BitVector& live) const {
    unsigned sum = 0;
    for (const auto number : live.set_bits()) sum += sizes_[number];
    return sum;
  }

  const llvm::Function& kernel_;
  const KernelWork& work_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> numbers_;
  std::vector<unsigned> sizes_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> before_;
};

}  // namespace

LiveRegisters live_registers(const llvm::Function& kernel, const KernelWork& work,
                             unsigned allowed) {
  return Liveness(kernel, work).of_blocks(allowed);
}

}  // namespace msci
