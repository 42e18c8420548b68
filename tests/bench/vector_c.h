// Some seed kernels written by hand in C with vectors: one vector element for each thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace msci {

// Runs the threads of a launch with these indices; of heat2d, the rows. `bound[i]`: what
// [[buffer(i)]] is bound to.
using VectorC = void (*)(std::byte* const* bound, unsigned first, unsigned end);

struct VectorCKernel {
  VectorC run = nullptr;
  bool by_rows = false;  // the indices are rows of the grid
};

// Of a task; null for others.
VectorCKernel vector_c_of(std::string_view task);

}  // namespace msci
