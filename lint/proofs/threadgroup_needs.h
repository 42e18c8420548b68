// The threadgroup memory that kernels need once they are optimised.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/frontend/unit.h"

namespace msci {

// In bytes.
struct ThreadgroupNeeds {
  std::uint64_t most = 0;
  std::uint64_t always = 0;  // whatever values the function constants have
};

// Of each of these kernels of the unit. Takes the time of compiling them. Empty where that fails.
std::vector<ThreadgroupNeeds> threadgroup_needs(const std::vector<Kernel>& kernels,
                                                const Unit& unit);

}  // namespace msci
