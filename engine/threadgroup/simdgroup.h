// What a vectorised kernel is told: memory that generated code reads by these offsets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace msci::engine {

class Lanes;
struct CheckedThreadgroup;
class WorkCounter;

// What memory of threads and threadgroups holds before they write it: NaN in each kind of float.
constexpr std::uint8_t junk_byte = 0xff;

// One or more threadgroups of one shape.
struct Threadgroup {
  const std::uint64_t* arguments;  // one word for each parameter of the kernel
  std::byte* threadgroup_memory;
  const std::uint32_t* local[3];  // of each thread of the threadgroup: its position in it
  std::uint32_t group[3];         // position of the threadgroup, of which code reads y and z
  std::uint32_t size[3];          // threads per threadgroup
  Lanes* lanes = nullptr;         // of a kernel that runs lane by lane
  CheckedThreadgroup* checked = nullptr;  // of a checked kernel
  WorkCounter* counter = nullptr;         // of a counted kernel
  const std::byte* buffers = nullptr;     // the addresses of all buffers, and how many there are
  std::uint64_t buffers_bytes = 0;
  std::uint32_t* outcomes = nullptr;  // of a covered kernel: the lanes that saw each
  std::uint32_t grid_width = 0;       // threads of a row, of a kernel with a clipped shape
};

// Runs these simdgroups of these threadgroups, which lie beside each other along x.
using KernelFunction = void (*)(const Threadgroup*, std::uint32_t first_group,
                                std::uint32_t groups_end, std::uint32_t first_simdgroup,
                                std::uint32_t simdgroups_end);

// Runs one lane of that simdgroup of the threadgroup with that x position.
using LaneFunction = void (*)(const Threadgroup*, std::uint32_t group, std::uint32_t simdgroup,
                              std::uint32_t lane);

}  // namespace msci::engine
