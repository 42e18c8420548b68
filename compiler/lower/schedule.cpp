#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <set>
#include <vector>

#include "compiler/lower/lowerings.h"

namespace msci {
namespace {

// Our own calls count as free of memory accesses only where they are arithmetic.
bool is_arithmetic(const llvm::CallInst& call) {
  const auto* callee = call.getCalledFunction();
  return callee && !call.isConvergent() && call.doesNotAccessMemory() &&
         (callee->isIntrinsic() || callee->getName().starts_with("msci.math."));
}

bool is_fixed(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return !load->isSimple();
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return !is_arithmetic(*call);
  return llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) ||
         instruction.mayHaveSideEffects() || instruction.isTerminator();
}

bool is_needed_elsewhere(const llvm::Instruction& instruction) {
  return llvm::any_of(instruction.users(), [&](const llvm::User* user) {
    const auto* by = llvm::cast<llvm::Instruction>(user);
    return by->getParent() != instruction.getParent() || llvm::isa<llvm::PHINode>(by);
  });
}

// The instructions of one block in their new order.
class Order {
 public:
  explicit Order(llvm::BasicBlock& block) {
    for (auto& instruction : block) waiting_.insert(&instruction);
    std::vector<llvm::Instruction*> loads;
    for (auto& instruction : block) {
      if (llvm::isa<llvm::LoadInst>(instruction)) loads.push_back(&instruction);
      if (!is_fixed(instruction)) continue;
      take_operands(instruction);
      if (instruction.mayWriteToMemory()) {  // perhaps what they read
        for (auto* load : loads) take(load);
        loads.clear();
      }
      if (instruction.isTerminator()) take_rest(block);
      take(&instruction);
    }
  }

  const std::vector<llvm::Instruction*>& instructions() const { return order_; }

 private:
  void take_rest(llvm::BasicBlock& block) {
    for (auto& instruction : block)
      if (!instruction.isTerminator() && is_needed_elsewhere(instruction)) take(&instruction);
    for (auto& instruction : block)
      if (!instruction.isTerminator()) take(&instruction);
  }

  // A phi's operands are those of an earlier iteration.
  void take_operands(const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::PHINode>(instruction)) return;
    for (auto& operand : instruction.operands())
      if (auto* needed = llvm::dyn_cast<llvm::Instruction>(&operand)) take(needed);
  }

  // Its operands come first. A stack of its own: sums of unrolled loops are thousands of additions
  // deep.
  void take(llvm::Instruction* wanted) {
    std::vector<llvm::Instruction*> open{wanted};
    while (!open.empty()) {
      auto* instruction = open.back();
      auto* needed = first_waiting_operand(*instruction);
      if (needed) {
        open.push_back(needed);
        continue;
      }
      open.pop_back();
      if (waiting_.erase(instruction)) order_.push_back(instruction);
    }
  }

  llvm::Instruction* first_waiting_operand(const llvm::Instruction& instruction) const {
    if (llvm::isa<llvm::PHINode>(instruction) || !waiting_.contains(&instruction)) return nullptr;
    for (auto& operand : instruction.operands())
      if (auto* needed = llvm::dyn_cast<llvm::Instruction>(&operand); waiting_.contains(needed))
        return needed;
    return nullptr;
  }

  std::set<const llvm::Instruction*> waiting_;
  std::vector<llvm::Instruction*> order_;
};

}  // namespace

void schedule_for_pressure(llvm::Module& ir) {
  for (auto& function : ir)
    for (auto& block : function) {
      const Order order(block);
      for (auto* instruction : order.instructions()) instruction->moveBefore(block, block.end());
    }
}

}  // namespace msci
