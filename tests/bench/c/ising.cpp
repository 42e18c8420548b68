#include <cstdint>

#include "tests/bench/c/kernels.h"

namespace msci::c::MSCI_C_NAMESPACE {
namespace {

unsigned rows(Bound bound) { return value<unsigned>(bound, 3); }

std::uint32_t scramble(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x85EBCA6Bu;
  x ^= x >> 13;
  x *= 0xC2B2AE35u;
  return x ^ x >> 16;
}

struct Row {
  signed char* spins;
  const signed char *below, *above;
  std::uint32_t key, first_site;
  const float* accept;
};

// A site with the sum of its neighbours.
[[gnu::always_inline]] inline void flip(const Row& row, std::size_t i, int h) {
  const int s = row.spins[i];
  const auto x = scramble(row.key ^ (row.first_site + static_cast<std::uint32_t>(i)));
  const float u = static_cast<float>(x >> 8) * (1.0F / 16777216.0F);
  row.spins[i] = static_cast<signed char>(u < row.accept[(s * h + 4) / 2] ? -s : s);
}

// The neighbours of a site have the other colour, so no site that a pass changes is read for
// another.
void run_row(const Row& row, std::size_t start, std::size_t nx) {
  const auto edge = [&](std::size_t i) {
    flip(row, i,
         row.spins[i == 0 ? nx - 1 : i - 1] + row.spins[i == nx - 1 ? 0 : i + 1] + row.below[i] +
             row.above[i]);
  };
  std::size_t i = start;
  if (i == 0) edge(0), i = 2;
  const std::size_t inner = nx > i + 1 ? (nx - i) / 2 : 0;  // i + 2 k + 1 < nx
#pragma clang loop vectorize(assume_safety)
  for (std::size_t k = 0; k < inner; ++k) {
    const auto at = i + 2 * k;
    flip(row, at, row.spins[at - 1] + row.spins[at + 1] + row.below[at] + row.above[at]);
  }
  if (const auto last = i + 2 * inner; last < nx) edge(last);
}

void run(Bound bound, unsigned first, unsigned end) {
  auto* spins = buffer<signed char>(bound, 0);
  const std::size_t nx = value<unsigned>(bound, 2), ny = value<unsigned>(bound, 3);
  const auto step = value<unsigned>(bound, 4), seed = value<unsigned>(bound, 5);
  for (std::size_t j = first; j < end; ++j)
    run_row({.spins = spins + j * nx,
             .below = spins + (j == 0 ? ny - 1 : j - 1) * nx,
             .above = spins + (j == ny - 1 ? 0 : j + 1) * nx,
             .key = scramble(seed + step * 0x9E3779B9u),
             .first_site = static_cast<std::uint32_t>(j * nx),
             .accept = buffer<float>(bound, 1)},
            (j + step) % 2, nx);
}

}  // namespace

const Kernel ising_step{.name = "ising_step", .count = rows, .run = run};

}  // namespace msci::c::MSCI_C_NAMESPACE
