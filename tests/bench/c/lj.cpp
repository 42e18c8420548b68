#include <cmath>

#include "tests/bench/c/kernels.h"

namespace msci::c::MSCI_C_NAMESPACE {
namespace {

struct Point {
  float x, y, z, w;
};

// The index along an axis of the cell that holds a coordinate.
unsigned cell_of(float r, unsigned m, float side) {
  const float inside = r - side * std::floor(r / side);
  const auto cell = static_cast<unsigned>(inside / (side / static_cast<float>(m)));
  return cell < m - 1 ? cell : m - 1;
}

unsigned cells(Bound bound) { return value<unsigned>(bound, 1); }

void clear(Bound bound, unsigned first, unsigned end) {
  std::memset(buffer<unsigned>(bound, 0) + first, 0, (end - first) * sizeof(unsigned));
}

unsigned listed(Bound bound) { return value<unsigned>(bound, 3); }

void build(Bound bound, unsigned first, unsigned end) {
  const Point* position = buffer<Point>(bound, 0);
  auto *counts = buffer<unsigned>(bound, 1), *lists = buffer<unsigned>(bound, 2);
  const auto m = value<unsigned>(bound, 4), most = value<unsigned>(bound, 6);
  const auto side = value<float>(bound, 5);
  for (unsigned i = first; i < end; ++i) {
    const Point r = position[i];
    const auto cell =
        (cell_of(r.z, m, side) * m + cell_of(r.y, m, side)) * m + cell_of(r.x, m, side);
    const auto slot = __atomic_fetch_add(&counts[cell], 1U, __ATOMIC_RELAXED);
    if (slot < most) lists[cell * most + slot] = i;
  }
}

unsigned particles(Bound bound) { return value<unsigned>(bound, 6); }

constexpr unsigned most_near = 27 * 64;

// The particles of the cells around a position.
unsigned find_near(Bound bound, const Point& r, unsigned* near) {
  const auto *counts = buffer<unsigned>(bound, 4), *lists = buffer<unsigned>(bound, 5);
  const auto m = value<unsigned>(bound, 7), most = value<unsigned>(bound, 11);
  const auto side = value<float>(bound, 8);
  const unsigned home[3] = {cell_of(r.x, m, side), cell_of(r.y, m, side), cell_of(r.z, m, side)};
  unsigned found = 0;
  for (unsigned z = home[2] + m - 1; z <= home[2] + m + 1; ++z)
    for (unsigned y = home[1] + m - 1; y <= home[1] + m + 1; ++y)
      for (unsigned x = home[0] + m - 1; x <= home[0] + m + 1; ++x) {
        const auto cell = (z % m * m + y % m) * m + x % m;
        const auto count = counts[cell] < most ? counts[cell] : most;
        std::memcpy(near + found, lists + cell * most, count * sizeof(unsigned));
        found += count;
      }
  return found;
}

void step(Bound bound, unsigned first, unsigned end) {
  const Point *position = buffer<Point>(bound, 0), *velocity = buffer<Point>(bound, 2);
  const auto side = value<float>(bound, 8), cutoff2 = value<float>(bound, 9),
             dt = value<float>(bound, 10), per_side = 1 / side;
  for (unsigned i = first; i < end; ++i) {
    const Point r = position[i];
    unsigned near[most_near];
    const auto count = find_near(bound, r, near);
    float ax = 0, ay = 0, az = 0;
    for (unsigned slot = 0; slot < count; ++slot) {
      const Point& other = position[near[slot]];
      float x = other.x - r.x, y = other.y - r.y, z = other.z - r.z;
      x -= side * std::round(x * per_side);
      y -= side * std::round(y * per_side);
      z -= side * std::round(z * per_side);
      const float r2 = x * x + y * y + z * z;
      const bool counts = near[slot] != i && r2 < cutoff2 && r2 > 1e-12F;
      const float per_r2 = 1 / (counts ? r2 : 1.0F);
      const float attraction = per_r2 * per_r2 * per_r2;
      const float scale = counts ? -24 * (2 * attraction * attraction - attraction) * per_r2 : 0.0F;
      ax += scale * x;
      ay += scale * y;
      az += scale * z;
    }
    const Point v{velocity[i].x + ax * dt, velocity[i].y + ay * dt, velocity[i].z + az * dt, 0};
    buffer<Point>(bound, 3)[i] = v;
    buffer<Point>(bound, 1)[i] = {r.x + v.x * dt, r.y + v.y * dt, r.z + v.z * dt, 0};
  }
}

}  // namespace

const Kernel lj_clear_cells{.name = "lj_clear_cells", .count = cells, .run = clear, .least = 64};
const Kernel lj_build_cells{.name = "lj_build_cells", .count = listed, .run = build, .least = 64};
const Kernel lj_step{.name = "lj_step", .count = particles, .run = step, .least = 8};

}  // namespace msci::c::MSCI_C_NAMESPACE
