#include "runtime/engine/counting/work_counter.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <bit>

#include "compiler/profile/count_work.h"

namespace msci::engine {

namespace {

void count_block(WorkCounter* counter, std::uint32_t block, std::uint32_t mask) {
  counter->count_block(block, mask);
}

void count_access(WorkCounter* counter, std::uint32_t number, std::uint32_t memory,
                  std::uint32_t type, std::uint32_t bytes,
                  const std::array<std::uint64_t, 32>* addresses, std::uint32_t mask) {
  const AccessSite site{.memory = static_cast<MemoryKind>(memory),
                        .type = static_cast<AccessType>(type),
                        .bytes = bytes};
  counter->count_access(number, site, *addresses, mask);
}

bool is_count(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  return callee && (callee->getName() == count_block_call ||
                    callee->getName().starts_with(count_access_call));
}

}  // namespace

void WorkCounter::count_block(std::uint32_t block, std::uint32_t mask) {
  auto& count = counts_->blocks[block];
  ++count.executions;
  count.lanes += static_cast<std::uint64_t>(std::popcount(mask));
}

void WorkCounter::count_access(std::uint32_t number, const AccessSite& site,
                               const std::array<std::uint64_t, 32>& addresses, std::uint32_t mask) {
  accesses_.count(site, addresses, mask, counts_->sites[number]);
}

std::vector<std::pair<std::string, void*>> count_functions() {
  return {{"msci_engine_count_block", reinterpret_cast<void*>(&count_block)},
          {"msci_engine_count_access", reinterpret_cast<void*>(&count_access)}};
}

void drop_counts(llvm::Function& kernel) {
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(kernel)))
    if (is_count(instruction)) instruction.eraseFromParent();
}

}  // namespace msci::engine
