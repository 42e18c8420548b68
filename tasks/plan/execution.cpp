#include "tasks/plan/execution.h"

#include <fmt/format.h>

#include <charconv>

namespace msci {

namespace {

constexpr std::string_view lanes_prefix = "lanes:";
constexpr std::string_view names[] = {"parallel", "forward", "reversed"};

}  // namespace

std::string to_string(const Execution& execution) {
  const auto prefix = execution.lane_by_lane ? lanes_prefix : "";
  if (execution.order == Execution::Order::keyed)
    return fmt::format("{}{:x}", prefix, execution.key);
  return fmt::format("{}{}", prefix, names[static_cast<std::size_t>(execution.order)]);
}

Result<Execution> execution_from(std::string_view text) {
  Execution execution;
  auto order = text;
  if (order.starts_with(lanes_prefix)) {
    execution.lane_by_lane = true;
    order.remove_prefix(lanes_prefix.size());
  }
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (order == names[i]) {
      execution.order = static_cast<Execution::Order>(i);
      return execution;
    }
  const auto* end = order.data() + order.size();
  const auto read = std::from_chars(order.data(), end, execution.key, 16);
  if (order.empty() || read.ec != std::errc() || read.ptr != end)
    return Error{fmt::format(
        "'{}' is not an order; use parallel, forward, reversed or up to 16 hexadecimal digits",
        text)};
  execution.order = Execution::Order::keyed;
  return execution;
}

}  // namespace msci
