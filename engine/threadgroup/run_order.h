// The order in which threadgroups, simdgroups or lanes run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/keyed_random.h"
#include "tasks/plan/execution.h"

namespace msci::engine {

class RunOrder {
 public:
  // Orders with different purposes are drawn independently.
  RunOrder(const Execution& execution, std::uint64_t purpose);

  // The numbers below `count`; of a keyed order, drawn anew at each call. Valid until the next
  // call.
  std::span<const std::uint32_t> next(std::uint32_t count);

 private:
  Execution::Order order_;
  KeyedRandom random_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace msci::engine
