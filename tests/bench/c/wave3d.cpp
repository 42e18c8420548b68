#include "tests/bench/c/kernels.h"

namespace msci::c::MSCI_C_NAMESPACE {
namespace {

unsigned rows(Bound bound) { return value<unsigned>(bound, 4) * value<unsigned>(bound, 5); }

void run(Bound bound, unsigned first, unsigned end) {
  const std::size_t nx = value<unsigned>(bound, 3), ny = value<unsigned>(bound, 4),
                    nz = value<unsigned>(bound, 5), layer = nx * ny;
  const auto alpha = value<float>(bound, 6);
  for (std::size_t line = first; line < end; ++line) {
    const auto j = line % ny, k = line / ny;
    const float* __restrict before = buffer<float>(bound, 0) + line * nx;
    const float* __restrict row = buffer<float>(bound, 1) + line * nx;
    float* __restrict to = buffer<float>(bound, 2) + line * nx;
    if (j == 0 || k == 0 || j == ny - 1 || k == nz - 1) {
      std::memcpy(to, row, nx * sizeof(float));
      continue;
    }
    const float* __restrict south = row - nx, * __restrict north = row + nx;
    const float* __restrict low = row - layer, * __restrict high = row + layer;
    to[0] = row[0];
    for (std::size_t i = 1; i < nx - 1; ++i) {
      const float around = row[i - 1] + row[i + 1] + south[i] + north[i] + low[i] + high[i];
      to[i] = 2 * row[i] - before[i] + alpha * (around - 6 * row[i]);
    }
    to[nx - 1] = row[nx - 1];
  }
}

}  // namespace

const Kernel wave_step{.name = "wave_step", .count = rows, .run = run};

}  // namespace msci::c::MSCI_C_NAMESPACE
