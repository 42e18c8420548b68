// The smallest and the largest element of each row, in two levels: within simdgroups by their own
// functions, between them through threadgroup memory.
#include <metal_stdlib>
using namespace metal;

// 1024 threads are at most 32 simdgroups.
constant uint most_simdgroups = 32;

struct Extent {
  float least;
  float most;
};

kernel void row_extents(device const float* x [[buffer(0)]],
                        device Extent* extents [[buffer(1)]],  // one for each row
                        constant uint& columns [[buffer(2)]],
                        uint row [[threadgroup_position_in_grid]],
                        uint t [[thread_index_in_threadgroup]],
                        uint width [[threads_per_threadgroup]],
                        uint lane [[thread_index_in_simdgroup]],
                        uint simdgroup [[simdgroup_index_in_threadgroup]],
                        uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup float least_of[most_simdgroups];
  threadgroup float most_of[most_simdgroups];

  device const float* const line = x + row * columns;
  float least = FLT_MAX;
  float most = -FLT_MAX;
  for (uint column = t; column < columns; column += width) {
    const float value = line[column];
    least = min(least, value);
    most = max(most, value);
  }

  least = simd_min(least);
  most = simd_max(most);
  if (lane == 0) {
    least_of[simdgroup] = least;
    most_of[simdgroup] = most;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);

  if (simdgroup != 0) return;
  least = simd_min(lane < simdgroups ? least_of[lane] : FLT_MAX);
  most = simd_max(lane < simdgroups ? most_of[lane] : -FLT_MAX);
  if (lane == 0) extents[row] = {least, most};
}
