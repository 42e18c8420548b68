#include "engine/threadgroup/run_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace msci::engine {

RunOrder::RunOrder(const Execution& execution, std::uint64_t purpose)
    : order_(execution.order), random_(Key{execution.key, purpose}) {}

std::span<const std::uint32_t> RunOrder::next(std::uint32_t count) {
  if (numbers_.size() != count) {
    numbers_.resize(count);
    std::iota(numbers_.begin(), numbers_.end(), 0U);
    if (order_ == Execution::Order::reversed) std::reverse(numbers_.begin(), numbers_.end());
  }
  if (order_ == Execution::Order::keyed)
    for (std::uint32_t i = count; i > 1; --i)
      std::swap(numbers_[i - 1], numbers_[random_.between(0, i - 1)]);
  return numbers_;
}

}  // namespace msci::engine
