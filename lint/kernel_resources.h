// What kernels need of a core of an Apple GPU. Only programs that translate kernels can tell.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace msci {

class Unit;

// Of one kernel, as docs/prediction.md models it.
struct KernelResources {
  std::string kernel;                 // as the host calls it
  unsigned registers = 0;             // of 16 bits, that a thread needs at once, about
  unsigned registers_allowed = 0;     // of a thread, by the kernel's limit on its threadgroups
  unsigned thread_limit = 0;          // of a threadgroup, as the kernel declares; 0 for none
  std::size_t threadgroup_bytes = 0;  // static, of a threadgroup
  unsigned threads_by_registers = 0;  // that a core can hold at once
  unsigned groups_by_memory = 0;      // threadgroups that it can hold; 0 without threadgroup memory
};

// Finds them for the kernels that can be translated; changes the unit.
using FindKernelResources = std::vector<KernelResources> (*)(Unit& unit);

}  // namespace msci
