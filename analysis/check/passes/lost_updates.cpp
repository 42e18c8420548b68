#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <set>
#include <vector>

#include "analysis/check/passes/calls.h"
#include "analysis/check/passes/check_parts.h"

namespace msci {
namespace {

using llvm::Value;

// Whether a branch chooses between two ways to one block, and nothing tells them apart. Clang
// stores what a failed exchange has read in a block of its own, which is empty if nothing reads
// that.
bool is_idle(const llvm::BranchInst& branch) {
  const auto is_way_to = [](const llvm::BasicBlock& block, const llvm::BasicBlock& next) {
    return &block.front() == block.getTerminator() && block.getSingleSuccessor() == &next;
  };
  const auto *one = branch.getSuccessor(0), *other = branch.getSuccessor(1);
  const auto* end = is_way_to(*one, *other) ? other : is_way_to(*other, *one) ? one : nullptr;
  return end && llvm::none_of(end->phis(), [](const llvm::PHINode& phi) {
           return !phi.use_empty() && !phi.hasConstantOrUndefValue();
         });
}

// Whether something depends on the value.
bool is_looked_at(const Value& value, std::set<const Value*>& seen) {
  if (!seen.insert(&value).second) return false;
  return llvm::any_of(value.users(), [&](const llvm::User* user) {
    const auto* instruction = llvm::cast<llvm::Instruction>(user);
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(instruction))
      return !is_idle(*branch);
    if (instruction->isTerminator() || instruction->mayHaveSideEffects()) return true;
    return is_looked_at(*instruction, seen);
  });
}

const Value& without_casts(const Value& value) {
  const auto* cast = llvm::dyn_cast<llvm::CastInst>(&value);
  return cast ? without_casts(*cast->getOperand(0)) : value;
}

// Whether the value is computed from another one, without memory in between.
bool is_made_from(const Value& value, const Value& source, std::set<const Value*>& seen) {
  if (&value == &source) return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || llvm::isa<llvm::PHINode>(instruction) ||
      instruction->mayReadOrWriteMemory() || !seen.insert(instruction).second)
    return false;
  return llvm::any_of(instruction->operands(), [&](const llvm::Use& operand) {
    return is_made_from(*operand, source, seen);
  });
}

bool drops_an_update(const llvm::AtomicCmpXchgInst& exchange) {
  const auto& expected = without_casts(*exchange.getCompareOperand());
  if (llvm::isa<llvm::Constant>(expected)) return false;
  std::set<const Value*> seen, seen_later;
  return is_made_from(*exchange.getNewValOperand(), expected, seen) &&
         !is_looked_at(exchange, seen_later);
}

}  // namespace

void check_lost_updates(llvm::Function& kernel, SourceLocations& locations) {
  std::vector<llvm::AtomicCmpXchgInst*> found;
  for (auto& instruction : llvm::instructions(kernel))
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      if (drops_an_update(*exchange)) found.push_back(exchange);
  for (auto* exchange : found) {
    llvm::IRBuilder<> builder(exchange->getNextNode());
    builder.SetCurrentDebugLocation(exchange->getDebugLoc());
    call_hold(builder, builder.CreateExtractValue(exchange, 1), Fault::Kind::lost_update,
              locations.number(*exchange), AccessKind::update);
  }
}

}  // namespace msci
