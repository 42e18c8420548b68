// How a device runs what Metal leaves open. Only the processor (device `cpu`) has a choice; other
// devices ignore it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace msci {

struct Execution {
  // In which order threadgroups run, and between two barriers the simdgroups of a threadgroup. All
  // but `parallel` use one core, so that the order is exact, and each threadgroup finds junk in its
  // threadgroup memory. `keyed`: drawn from the key, anew for each launch and after each barrier.
  enum class Order { parallel, forward, reversed, keyed };
  Order order = Order::parallel;
  std::uint64_t key = 0;
  // Scalar code instead of vectors: each lane runs alone between two functions of the simdgroup,
  // and the lanes follow the order, too.
  bool lane_by_lane = false;
  bool counted = false;  // counts what some threadgroups do (analysis/profile/launch_counts.h)
  unsigned vector_bits = 512;  // at most, if the processor has as many: 128, 256 or 512
  // The passes end so soon that code for them is worth little time: checked code is not optimised,
  // and one form of a kernel serves all shapes of threadgroups.
  bool brief = false;
  bool operator==(const Execution&) const = default;
};

// The order: "parallel", "forward", "reversed" or the key in hexadecimal digits; with "lanes:"
// before it where each lane runs alone.
std::string to_string(const Execution& execution);
// Errors: another text.
Result<Execution> execution_from(std::string_view text);

}  // namespace msci
