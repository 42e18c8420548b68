#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <set>

#include "analysis/check/passes/calls.h"
#include "analysis/check/passes/check_parts.h"

namespace msci {
namespace {

using llvm::Value;

constexpr unsigned most_rounds_of_update = 1U << 14;
constexpr unsigned most_rounds_of_wait = 1U << 20;

bool is_atomic(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction) ||
         (llvm::isa<llvm::LoadInst>(instruction) && instruction.isAtomic());
}

// An atomic operation of the loop that decides the value; null if there is none.
llvm::Instruction* deciding(Value& value, const llvm::Loop& loop, std::set<Value*>& seen) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || !loop.contains(instruction) || !seen.insert(instruction).second)
    return nullptr;
  if (is_atomic(*instruction)) return instruction;
  for (auto& operand : instruction->operands())
    if (auto* found = deciding(*operand, loop, seen)) return found;
  return nullptr;
}

llvm::Instruction* deciding_end(const llvm::Loop& loop) {
  llvm::SmallVector<llvm::BasicBlock*> exiting;
  loop.getExitingBlocks(exiting);
  for (auto* block : exiting) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional()) continue;
    std::set<Value*> seen;
    if (auto* found = deciding(*branch->getCondition(), loop, seen)) return found;
  }
  return nullptr;
}

// Whether the operation exchanges a value that the loop changes: it does not wait for a lock.
bool updates(const llvm::Instruction& atomic) {
  const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&atomic);
  return exchange && !llvm::isa<llvm::Constant>(exchange->getCompareOperand());
}

void count_rounds(const llvm::Loop& loop, const llvm::Instruction& atomic,
                  SourceLocations& locations) {
  auto* header = loop.getHeader();
  llvm::IRBuilder<> builder(&*header->begin());
  auto* rounds = builder.CreatePHI(builder.getInt32Ty(), 2);
  builder.SetInsertPoint(&*header->getFirstInsertionPt());
  auto* next = builder.CreateAdd(rounds, builder.getInt32(1));
  for (auto* before : llvm::predecessors(header))
    rounds->addIncoming(loop.contains(before) ? next : builder.getInt32(0), before);
  const auto most = updates(atomic) ? most_rounds_of_update : most_rounds_of_wait;
  auto* goes_on = builder.CreateICmpULT(rounds, builder.getInt32(most));
  call_hold(builder, goes_on, Fault::Kind::endless_loop, locations.number(atomic),
            AccessKind::update);
}

}  // namespace

void check_spinning_loops(llvm::Function& kernel, SourceLocations& locations) {
  const llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  for (const auto* loop : loops.getLoopsInPreorder())
    if (const auto* atomic = deciding_end(*loop)) count_rounds(*loop, *atomic, locations);
}

}  // namespace msci
