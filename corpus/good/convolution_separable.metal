// A separable filter of an image in a buffer, in two launches: along the rows, then along the
// columns. Edges repeat their last pixel.
#include <metal_stdlib>
using namespace metal;

constant uint most_threads = 256;
constant uint most_radius = 16;

struct Filter {
  uint radius;                        // up to most_radius
  float weights[2 * most_radius + 1];  // from the leftmost to the rightmost
};

// A threadgroup is a piece of a row; it loads that and what the filter reaches on both sides.
[[max_total_threads_per_threadgroup(256)]]
kernel void filter_rows(device const float* image [[buffer(0)]],
                        device float* filtered [[buffer(1)]],
                        constant Filter& filter [[buffer(2)]],
                        constant uint& columns [[buffer(3)]],
                        uint2 at [[thread_position_in_grid]],
                        uint2 group [[threadgroup_position_in_grid]],
                        uint2 t [[thread_position_in_threadgroup]],
                        uint2 size [[threads_per_threadgroup]]) {
  threadgroup float line[most_threads + 2 * most_radius];
  const uint radius = min(filter.radius, most_radius);
  const int first = int(group.x * size.x) - int(radius);

  for (uint k = t.x; k < size.x + 2 * radius; k += size.x) {
    const int column = clamp(first + int(k), 0, int(columns) - 1);
    line[k] = image[at.y * columns + uint(column)];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);

  if (at.x >= columns) return;
  float sum = 0.0f;
  for (uint k = 0; k <= 2 * radius; ++k) sum = fma(filter.weights[k], line[t.x + k], sum);
  filtered[at.y * columns + at.x] = sum;
}

// Neighbouring threads are neighbours in a row, so the columns need no tile.
kernel void filter_columns(device const float* image [[buffer(0)]],
                           device float* filtered [[buffer(1)]],
                           constant Filter& filter [[buffer(2)]],
                           constant uint& columns [[buffer(3)]],
                           constant uint& rows [[buffer(4)]],
                           uint2 at [[thread_position_in_grid]]) {
  if (at.x >= columns || at.y >= rows) return;
  const int radius = int(min(filter.radius, most_radius));
  float sum = 0.0f;
  for (int k = -radius; k <= radius; ++k) {
    const int row = clamp(int(at.y) + k, 0, int(rows) - 1);
    sum = fma(filter.weights[k + radius], image[uint(row) * columns + at.x], sum);
  }
  filtered[at.y * columns + at.x] = sum;
}
