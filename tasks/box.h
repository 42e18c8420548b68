// Scalar fields on a box: row-major with x fastest, so cell (x, y, z) is (z*Y + y)*X + x.
#pragma once

#include <cstddef>

#include "tasks/array.h"
#include "tasks/parallel.h"
#include "tasks/plan/plan.h"

namespace msci {

// A Gaussian bump of deviation `sigma` in the middle of the box, with zeros on all six faces.
Array<float> bump(Extent box, float sigma);

// The six-point Laplacian, added up as the task pages say: along x, y and z, then the cell itself.
template <typename Real>
Real laplacian(const Real* field, std::size_t at, std::size_t row, std::size_t layer) {
  const Real* u = field + at;
  return (((((u[-1] + u[1]) + *(u - row)) + u[row]) + *(u - layer)) + u[layer]) - 6 * u[0];
}

// Calls update(at) for every cell that lies on no face; the calls must not depend on each other.
template <typename Update>
void for_each_interior(Extent box, const Update& update) {
  constexpr std::size_t operations_of_cell = 10;
  if (box.z < 3) return;
  in_parallel(box.z - 2, operations_of_cell * box.x * box.y,
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t z = begin + 1; z < end + 1; ++z)
                  for (std::size_t y = 1; y + 1 < box.y; ++y) {
                    const std::size_t row = (z * box.y + y) * box.x;
                    for (std::size_t x = 1; x + 1 < box.x; ++x) update(row + x);
                  }
              });
}

}  // namespace msci
