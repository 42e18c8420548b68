#include <cstdint>

#include "tests/bench/c/kernels.h"

namespace msci::c::MSCI_C_NAMESPACE {
namespace {

constexpr unsigned width = 64;  // cells side by side: the innermost loops run over them

using Lanes = std::uint32_t[width];

unsigned cells(Bound bound) {
  const auto n = value<unsigned>(bound, 2);
  return n * n * n;
}

struct Cells {
  Lanes x, y, z;
};

void decode(std::uint32_t first, unsigned bits, Cells& cells) {
  for (unsigned lane = 0; lane < width; ++lane) cells.x[lane] = cells.y[lane] = cells.z[lane] = 0;
  for (unsigned b = 0; b < bits; ++b)
    for (unsigned lane = 0; lane < width; ++lane) {
      const std::uint32_t index = first + lane;
      cells.x[lane] |= ((index >> (3 * b)) & 1) << b;
      cells.y[lane] |= ((index >> (3 * b + 1)) & 1) << b;
      cells.z[lane] |= ((index >> (3 * b + 2)) & 1) << b;
    }
}

// Adds the field's values at the cells, moved by that much along each axis.
void add_moved(const float* field, const Cells& cells, int x, int y, int z, unsigned bits,
               const bool* inner, float* sum) {
  Lanes index = {};
  for (unsigned b = 0; b < bits; ++b)
    for (unsigned lane = 0; lane < width; ++lane) {
      index[lane] |= (((cells.x[lane] + static_cast<unsigned>(x)) >> b) & 1) << (3 * b);
      index[lane] |= (((cells.y[lane] + static_cast<unsigned>(y)) >> b) & 1) << (3 * b + 1);
      index[lane] |= (((cells.z[lane] + static_cast<unsigned>(z)) >> b) & 1) << (3 * b + 2);
    }
  for (unsigned lane = 0; lane < width; ++lane) sum[lane] += inner[lane] ? field[index[lane]] : 0;
}

void run_block(Bound bound, std::size_t first, unsigned count) {
  const float* field = buffer<float>(bound, 0);
  float* next = buffer<float>(bound, 1);
  const auto last = value<unsigned>(bound, 2) - 1, bits = value<unsigned>(bound, 3);
  const auto alpha = value<float>(bound, 4);
  Cells cells;
  decode(static_cast<std::uint32_t>(first), bits, cells);
  bool inner[width];
  for (unsigned lane = 0; lane < width; ++lane) {
    const auto x = cells.x[lane], y = cells.y[lane], z = cells.z[lane];
    inner[lane] = x != 0 && y != 0 && z != 0 && x != last && y != last && z != last;
  }
  float sum[width] = {};
  for (const int step : {-1, 1}) {
    add_moved(field, cells, step, 0, 0, bits, inner, sum);
    add_moved(field, cells, 0, step, 0, bits, inner, sum);
    add_moved(field, cells, 0, 0, step, bits, inner, sum);
  }
  for (unsigned lane = 0; lane < count; ++lane) {
    const float c = field[first + lane];
    next[first + lane] = inner[lane] ? c + alpha * (sum[lane] - 6 * c) : c;
  }
}

void run(Bound bound, unsigned first, unsigned end) {
  for (unsigned i = first; i < end; i += width)
    run_block(bound, i, end - i < width ? end - i : width);
}

}  // namespace

const Kernel morton_stencil{.name = "morton_stencil", .count = cells, .run = run, .least = width};

}  // namespace msci::c::MSCI_C_NAMESPACE
