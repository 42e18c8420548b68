#include "engine/profile/work_counter.h"

#include <bit>

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

RuntimeFunctions count_functions() {
  return {{"msci_engine_count_block", reinterpret_cast<void*>(&count_block)},
          {"msci_engine_count_access", reinterpret_cast<void*>(&count_access)}};
}

}  // namespace msci::engine
