// y = A x for a sparse matrix in compressed rows: one thread for each row where rows are short, one
// simdgroup for each where they are long. The host chooses by the mean length.
#include <metal_stdlib>
using namespace metal;

constant uint lanes = 32;

kernel void short_rows(device const uint* starts [[buffer(0)]],  // one more than there are rows
                       device const uint* columns [[buffer(1)]],
                       device const float* values [[buffer(2)]],
                       device const float* x [[buffer(3)]],
                       device float* y [[buffer(4)]],
                       constant uint& rows [[buffer(5)]],
                       uint row [[thread_position_in_grid]]) {
  if (row >= rows) return;
  float sum = 0.0f;
  for (uint k = starts[row]; k < starts[row + 1]; ++k) sum = fma(values[k], x[columns[k]], sum);
  y[row] = sum;
}

kernel void long_rows(device const uint* starts [[buffer(0)]],
                      device const uint* columns [[buffer(1)]],
                      device const float* values [[buffer(2)]],
                      device const float* x [[buffer(3)]],
                      device float* y [[buffer(4)]],
                      constant uint& rows [[buffer(5)]],
                      uint group [[threadgroup_position_in_grid]],
                      uint simdgroup [[simdgroup_index_in_threadgroup]],
                      uint simdgroups [[simdgroups_per_threadgroup]],
                      uint lane [[thread_index_in_simdgroup]]) {
  const uint row = group * simdgroups + simdgroup;
  if (row >= rows) return;
  float sum = 0.0f;
  for (uint k = starts[row] + lane; k < starts[row + 1]; k += lanes)
    sum = fma(values[k], x[columns[k]], sum);
  // A tree over the lanes, the lower half taking from the upper one.
  for (ushort distance = 16; distance > 0; distance /= 2) sum += simd_shuffle_down(sum, distance);
  if (lane == 0) y[row] = sum;
}
