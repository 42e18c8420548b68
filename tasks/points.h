// Points in space, as arrays of x, y, z and as Metal's float4 with w = 0.
#pragma once

#include <span>
#include <vector>

#include "tasks/array.h"

namespace msci {

// Metal's float4.
struct Float4 {
  float x = 0;
  float y = 0;
  float z = 0;
  float w = 0;
};

// x, y, z, x, y, z ... to one float4 per point.
inline Array<Float4> pack(std::span<const float> xyz) {
  Array<Float4> points(xyz.size() / 3);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = {xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2], 0};
  return points;
}

// The inverse; w is dropped, because no task uses it.
inline std::vector<float> unpack(std::span<const Float4> points) {
  std::vector<float> xyz;
  xyz.reserve(points.size() * 3);
  for (const Float4& point : points) xyz.insert(xyz.end(), {point.x, point.y, point.z});
  return xyz;
}

}  // namespace msci
