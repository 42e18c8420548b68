#include "evaluator/translate/lower/gather_lanes.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "evaluator/translate/lanes.h"

namespace msci {
namespace {

bool acts_together(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  const auto function = callee ? lane_function(callee->getName().str()) : std::nullopt;
  return function && !function->is_barrier;
}

// Makes `value` available before `place`, moving what computes it if that has no other effect.
bool hoist(llvm::Value* value, llvm::Instruction* place) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || instruction->getParent() != place->getParent() ||
      instruction->comesBefore(place))
    return true;
  const bool movable = !llvm::isa<llvm::PHINode, llvm::CallInst>(instruction) &&
                       !instruction->mayReadOrWriteMemory() &&
                       llvm::isSafeToSpeculativelyExecute(instruction);
  if (!movable) return false;
  for (auto& operand : instruction->operands())
    if (!hoist(operand, place)) return false;
  instruction->moveBefore(place->getIterator());
  return true;
}

void gather(llvm::BasicBlock& block) {
  for (auto at = block.begin(); at != block.end(); ++at) {
    if (!acts_together(*at)) continue;
    auto* first = &*at;
    auto* last = first;
    unsigned gathered = 1;
    for (auto next = std::next(at); next != block.end() && gathered < most_words;) {
      auto& candidate = *next++;
      if (!acts_together(candidate)) continue;
      const bool ready =
          llvm::all_of(llvm::cast<llvm::CallInst>(candidate).args(),
                       [&](const llvm::Use& argument) { return hoist(argument.get(), first); });
      if (!ready) continue;
      candidate.moveAfter(last);
      last = &candidate;
      ++gathered;
    }
    at = last->getIterator();
  }
}

}  // namespace

void gather_lanes(llvm::Module& ir) {
  for (auto& function : ir)
    for (auto& block : function) gather(block);
}

}  // namespace msci
