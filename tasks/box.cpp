#include <cmath>

#include "tasks/launch.h"

namespace msci {

Array<float> bump(Extent box, float sigma) {
  const auto squared_offset = [](std::size_t at, unsigned length) {
    const float offset = static_cast<float>(at) - static_cast<float>(length - 1) / 2;
    return offset * offset;
  };
  const float width = 2 * sigma * sigma;
  Array<float> field(box.count());
  for (std::size_t z = 1; z + 1 < box.z; ++z)
    for (std::size_t y = 1; y + 1 < box.y; ++y)
      for (std::size_t x = 1; x + 1 < box.x; ++x) {
        const float r2 =
            squared_offset(x, box.x) + squared_offset(y, box.y) + squared_offset(z, box.z);
        field[(z * box.y + y) * box.x + x] = std::exp(-r2 / width);
      }
  return field;
}

}  // namespace msci
