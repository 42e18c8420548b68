#include <immintrin.h>

#include "tests/bench/c/kernels.h"

namespace msci::c::MSCI_C_NAMESPACE {
namespace {

constexpr int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constexpr int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr float weight[9] = {4.0F / 9,  1.0F / 9,  1.0F / 9,  1.0F / 9, 1.0F / 9,
                             1.0F / 36, 1.0F / 36, 1.0F / 36, 1.0F / 36};

unsigned rows(Bound bound) { return value<unsigned>(bound, 3); }

// The row that population k comes from, and the row that it goes to.
struct Row {
  const float* from[9];
  float* to[9];
};

Row row_of(Bound bound, std::size_t j) {
  const std::size_t nx = value<unsigned>(bound, 2), ny = value<unsigned>(bound, 3);
  Row row;
  for (std::size_t k = 0; k < 9; ++k) {
    const auto from = (j + ny - static_cast<std::size_t>(cy[k])) % ny;
    row.from[k] = buffer<float>(bound, 0) + (k * ny + from) * nx;
    row.to[k] = buffer<float>(bound, 1) + (k * ny + j) * nx;
  }
  return row;
}

// The cells from `first` to before `end`, whose left and right neighbours are that far away.
[[gnu::always_inline]] inline void relax(const Row& row, std::size_t first, std::size_t end,
                                         std::ptrdiff_t left, std::ptrdiff_t right, float per_tau) {
#pragma clang loop vectorize(assume_safety)
  for (std::size_t i = first; i < end; ++i) {
    float s[9], rho = 0, ux = 0, uy = 0;
    for (unsigned k = 0; k < 9; ++k) {
      s[k] = (row.from[k] + i)[cx[k] == 0 ? 0 : cx[k] > 0 ? left : right];
      rho += s[k];
      ux += static_cast<float>(cx[k]) * s[k];
      uy += static_cast<float>(cy[k]) * s[k];
    }
    ux /= rho;
    uy /= rho;
    const float usq = ux * ux + uy * uy;
    for (unsigned k = 0; k < 9; ++k) {
      const float cu = static_cast<float>(cx[k]) * ux + static_cast<float>(cy[k]) * uy;
      const float equilibrium = weight[k] * rho * (1 + 3 * cu + 4.5F * cu * cu - 1.5F * usq);
      row.to[k][i] = s[k] - (s[k] - equilibrium) * per_tau;
    }
  }
}

void plain(Bound bound, unsigned first, unsigned end) {
  const std::size_t nx = value<unsigned>(bound, 2);
  const auto around = static_cast<std::ptrdiff_t>(nx) - 1;
  const float per_tau = 1 / value<float>(bound, 4);
  for (std::size_t j = first; j < end; ++j) {
    const Row row = row_of(bound, j);
    relax(row, 0, 1, around, nx > 1 ? 1 : 0, per_tau);
    if (nx < 2) continue;
    relax(row, 1, nx - 1, -1, 1, per_tau);
    relax(row, nx - 1, nx, -1, -around, per_tau);
  }
}

#ifdef __AVX512F__
using Float = __m512;
Float all(float number) { return _mm512_set1_ps(number); }
Float load(const float* from) { return _mm512_loadu_ps(from); }
void store(float* to, Float values) { _mm512_storeu_ps(to, values); }
Float sum_of_product(Float a, Float b, Float c) { return _mm512_fmadd_ps(a, b, c); }
#else
using Float = __m256;
Float all(float number) { return _mm256_set1_ps(number); }
Float load(const float* from) { return _mm256_loadu_ps(from); }
void store(float* to, Float values) { _mm256_storeu_ps(to, values); }
Float sum_of_product(Float a, Float b, Float c) { return _mm256_fmadd_ps(a, b, c); }
#endif
constexpr std::size_t width = sizeof(Float) / sizeof(float);

void relax_vector(const Row& row, std::size_t i, Float per_tau) {
  Float s[9];
  for (unsigned k = 0; k < 9; ++k) s[k] = load(row.from[k] + i - cx[k]);
  const Float rho = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])) + s[8];
  const Float per_rho = all(1) / rho;
  const Float ux = ((s[1] - s[3]) + (s[5] - s[6]) + (s[8] - s[7])) * per_rho;
  const Float uy = ((s[2] - s[4]) + (s[5] - s[7]) + (s[6] - s[8])) * per_rho;
  const Float rest = all(1) - all(1.5F) * (ux * ux + uy * uy);
  const Float kept = all(1) - per_tau;
  const auto go = [&](unsigned k, Float cu) {
    const Float equilibrium = sum_of_product(cu, sum_of_product(cu, all(4.5F), all(3)), rest);
    store(row.to[k] + i, sum_of_product(s[k], kept, all(weight[k]) * rho * per_tau * equilibrium));
  };
  const Float zero = all(0);
  go(0, zero), go(1, ux), go(2, uy), go(3, zero - ux), go(4, zero - uy);
  go(5, ux + uy), go(6, uy - ux), go(7, zero - ux - uy), go(8, ux - uy);
}

void intrinsics(Bound bound, unsigned first, unsigned end) {
  const std::size_t nx = value<unsigned>(bound, 2);
  const float per_tau = 1 / value<float>(bound, 4);
  if (nx < width + 2) return plain(bound, first, end);
  const auto around = static_cast<std::ptrdiff_t>(nx) - 1;
  for (std::size_t j = first; j < end; ++j) {
    const Row row = row_of(bound, j);
    relax(row, 0, 1, around, 1, per_tau);
    std::size_t i = 1;
    for (; i + width <= nx - 1; i += width) relax_vector(row, i, all(per_tau));
    if (i < nx - 1) relax_vector(row, nx - 1 - width, all(per_tau));
    relax(row, nx - 1, nx, -1, -around, per_tau);
  }
}

}  // namespace

const Kernel lbm_step{.name = "lbm_step", .count = rows, .run = plain};
const Kernel lbm_step_intrinsics{
    .name = "lbm_step", .count = rows, .run = intrinsics, .uses_intrinsics = true};

}  // namespace msci::c::MSCI_C_NAMESPACE
