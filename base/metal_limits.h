// Limits of Metal on Apple GPUs (Metal Feature Set Tables, families Apple 7 and later).
#pragma once

#include <cstddef>

namespace msci {

// Threads of a simdgroup.
constexpr unsigned simdgroup_lanes = 32;
// Threads of a quadgroup.
constexpr unsigned quadgroup_lanes = 4;
// The most threads of a threadgroup, unless its kernel declares a lower limit.
constexpr unsigned threadgroup_thread_limit = 1024;
// The most bytes of memory of a threadgroup, static and host-declared together.
constexpr std::size_t threadgroup_memory_limit = 32768;

}  // namespace msci
