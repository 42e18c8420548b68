// Where the memory of kernels lies, so that most accesses need no check
// (docs/concepts/isolation.md).
#pragma once

#include <cstdint>

namespace msci::engine {

// Each memory that kernels access lies in a window of address space of its own, of which only the
// memory itself can be accessed. An address that is at most so far from the begin of a memory is in
// its window, whatever 32-bit index it was computed with.
constexpr std::int64_t window_bytes = std::int64_t{1} << 37;
constexpr std::int64_t most_before = std::int64_t{1} << 35;
constexpr std::int64_t most_behind = std::int64_t{1} << 36;

// The largest memory: what lies most_behind it is in the window, too, with room for the colours of
// windows (cpu_queue.h) and for the largest access of a simdgroup.
constexpr std::int64_t most_memory_bytes = (std::int64_t{1} << 35) - (std::int64_t{1} << 32);
constexpr std::int64_t window_margin = std::int64_t{1} << 20;
static_assert(most_before + most_memory_bytes + most_behind + 4 * window_margin < window_bytes);

}  // namespace msci::engine
