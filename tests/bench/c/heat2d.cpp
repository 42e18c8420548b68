#include "tests/bench/c/kernels.h"

namespace msci::c::MSCI_C_NAMESPACE {
namespace {

unsigned rows(Bound bound) { return value<unsigned>(bound, 3); }

void run(Bound bound, unsigned first, unsigned end) {
  const std::size_t nx = value<unsigned>(bound, 2), ny = value<unsigned>(bound, 3);
  const auto alpha = value<float>(bound, 4);
  for (std::size_t j = first; j < end; ++j) {
    const float* __restrict row = buffer<float>(bound, 0) + j * nx;
    float* __restrict to = buffer<float>(bound, 1) + j * nx;
    if (j == 0 || j == ny - 1) {
      std::memcpy(to, row, nx * sizeof(float));
      continue;
    }
    const float* __restrict above = row - nx;
    const float* __restrict below = row + nx;
    to[0] = row[0];
    for (std::size_t i = 1; i < nx - 1; ++i) {
      const float around = row[i - 1] + row[i + 1] + above[i] + below[i];
      to[i] = row[i] + alpha * (around - 4 * row[i]);
    }
    to[nx - 1] = row[nx - 1];
  }
}

}  // namespace

const Kernel heat_step{.name = "heat_step", .count = rows, .run = run};

}  // namespace msci::c::MSCI_C_NAMESPACE
