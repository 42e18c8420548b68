// What can bound a launch on a GPU.
#pragma once

#include <cstddef>
#include <string_view>

namespace msci {

enum class Bound : unsigned {
  instructions,        // the schedulers are busy
  latency,             // too few simdgroups wait for dependent instructions and memory
  accesses,            // accesses of device memory, by lines
  threadgroup_memory,  // its banks
  spills,              // registers and private arrays that lie in memory
  cache,               // lines that a core's cache lacks
  memory,              // the system cache or DRAM
  atomics,
  launch,  // starting and ending it
  last = launch,
};
constexpr std::size_t bound_count = static_cast<std::size_t>(Bound::last) + 1;
std::string_view to_string(Bound bound);
// The first one for another text.
Bound bound_from(std::string_view text);

}  // namespace msci
