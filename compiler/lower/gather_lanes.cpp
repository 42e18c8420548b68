#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <set>
#include <vector>

#include "compiler/ir/lane_functions.h"
#include "compiler/lower/lowerings.h"

namespace msci {
namespace {

// Positions in one block. Asking LLVM whether an instruction comes before another numbers the whole
// block again after each move.
class Gatherer {
 public:
  explicit Gatherer(llvm::BasicBlock& block) {
    std::size_t position = 0;
    for (auto& instruction : block) {
      positions_[&instruction] = ++position;  // from 1: what moves before the first comes before it
      if (exchanges_values(instruction)) calls_.push_back(llvm::cast<llvm::CallInst>(&instruction));
    }
  }

  void run() {
    std::set<llvm::CallInst*> gathered;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (gathered.contains(calls_[i])) continue;
      first_ = calls_[i];
      fixed_.clear();
      llvm::Instruction* last = first_;
      PostedValues posted;
      posted.add(*first_);
      const auto end = std::min(calls_.size(), i + window);
      for (std::size_t k = i + 1; k < end; ++k) {
        auto* call = calls_[k];
        if (gathered.contains(call) || !posted.has_room_for(*call) || !hoist_arguments(*call))
          continue;
        posted.add(*call);
        call->moveAfter(last);
        positions_[call] = positions_[first_];
        gathered.insert(call);
        last = call;
      }
    }
  }

 private:
  // Calls that are further apart stay apart.
  static constexpr std::size_t window = 256;

  bool hoist_arguments(llvm::CallInst& call) {
    return llvm::all_of(call.args(),
                        [&](const llvm::Use& argument) { return hoist(*argument.get()); });
  }

  // Makes a value available before the first call, moving what computes it if that has no other
  // effect.
  bool hoist(llvm::Value& value) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || instruction->getParent() != first_->getParent() ||
        positions_[instruction] < positions_[first_])
      return true;
    if (fixed_.contains(instruction)) return false;
    const bool movable = !llvm::isa<llvm::PHINode, llvm::CallInst>(instruction) &&
                         !instruction->mayReadOrWriteMemory() &&
                         llvm::isSafeToSpeculativelyExecute(instruction);
    if (!movable || !llvm::all_of(instruction->operands(),
                                  [&](llvm::Use& operand) { return hoist(*operand.get()); })) {
      fixed_.insert(instruction);
      return false;
    }
    instruction->moveBefore(first_->getIterator());
    positions_[instruction] = positions_[first_] - 1;
    return true;
  }

  llvm::DenseMap<const llvm::Instruction*, std::size_t> positions_;
  std::vector<llvm::CallInst*> calls_;
  llvm::CallInst* first_ = nullptr;
  std::set<const llvm::Instruction*> fixed_;  // cannot come before the first call
};

}  // namespace

void gather_lanes(llvm::Module& ir) {
  for (auto& function : ir)
    for (auto& block : function) Gatherer(block).run();
}

}  // namespace msci
