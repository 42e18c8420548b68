#include <cmath>

#include "tests/bench/c/kernels.h"

namespace msci::c::MSCI_C_NAMESPACE {
namespace {

unsigned one(Bound) { return 1; }

// The largest of each of 64 columns, then of these: a compiler keeps the order of comparisons.
void reduce(Bound bound, unsigned, unsigned) {
  const float* psi = buffer<float>(bound, 0);
  const std::size_t nr = value<unsigned>(bound, 2), nz = value<unsigned>(bound, 3);
  constexpr std::size_t width = 64;
  float most[width];
  for (float& each : most) each = -INFINITY;
  for (std::size_t j = 1; j < nz - 1; ++j) {
    const float* row = psi + j * nr;
    std::size_t i = 1;
    for (; i + width <= nr - 1; i += width)
      for (std::size_t lane = 0; lane < width; ++lane)
        most[lane] = row[i + lane] > most[lane] ? row[i + lane] : most[lane];
    for (; i < nr - 1; ++i) most[0] = row[i] > most[0] ? row[i] : most[0];
  }
  float axis = most[0];
  for (const float each : most) axis = each > axis ? each : axis;
  *buffer<float>(bound, 1) = axis;
}

unsigned rows(Bound bound) { return value<unsigned>(bound, 4); }

void step(Bound bound, unsigned first, unsigned end) {
  const auto axis = *buffer<float>(bound, 2);
  const std::size_t nr = value<unsigned>(bound, 3), nz = value<unsigned>(bound, 4);
  const auto least = value<float>(bound, 5), dr = value<float>(bound, 6),
             dz = value<float>(bound, 7), p_axis = value<float>(bound, 8),
             mu0 = value<float>(bound, 9), omega = value<float>(bound, 10);
  const float per_dr2 = 1 / (dr * dr), per_dz2 = 1 / (dz * dz);
  const float centre = -2 * per_dr2 - 2 * per_dz2;
  for (std::size_t j = first; j < end; ++j) {
    const float* __restrict row = buffer<float>(bound, 0) + j * nr;
    float* __restrict to = buffer<float>(bound, 1) + j * nr;
    if (j == 0 || j == nz - 1) {
      std::memcpy(to, row, nr * sizeof(float));
      continue;
    }
    const float* __restrict above = row - nr, * __restrict below = row + nr;
    to[0] = row[0];
    for (unsigned i = 1; i < nr - 1; ++i) {
      const float r = least + static_cast<float>(i) * dr;
      const float slope = 0.5F / (r * dr);
      const float c = row[i];
      const float operated = (per_dr2 + slope) * row[i - 1] + (per_dr2 - slope) * row[i + 1] +
                             per_dz2 * above[i] + per_dz2 * below[i] + centre * c;
      const float n = c / axis;
      const float current = n > 0 && n < 1 ? r * p_axis * 4 * n * (1 - n) : 0;
      to[i] = c + omega * (-mu0 * r * current - operated) / centre;
    }
    to[nr - 1] = row[nr - 1];
  }
}

}  // namespace

const Kernel gradshaf_axis_reduce{.name = "gradshaf_axis_reduce", .count = one, .run = reduce};
const Kernel gradshaf_step{.name = "gradshaf_step", .count = rows, .run = step};

}  // namespace msci::c::MSCI_C_NAMESPACE
