// y = A x for a row-major matrix: one simdgroup for each row, four elements at a time for as
// long as there are four.
#include <metal_stdlib>
using namespace metal;

constant uint lanes = 32;

kernel void matrix_vector(device const float* a [[buffer(0)]],
                          device const float* x [[buffer(1)]],
                          device float* y [[buffer(2)]],
                          constant uint& rows [[buffer(3)]],
                          constant uint& columns [[buffer(4)]],
                          uint group [[threadgroup_position_in_grid]],
                          uint simdgroup [[simdgroup_index_in_threadgroup]],
                          uint simdgroups [[simdgroups_per_threadgroup]],
                          uint lane [[thread_index_in_simdgroup]]) {
  const uint row = group * simdgroups + simdgroup;
  if (row >= rows) return;
  device const float* const line = a + row * columns;

  float sum = 0.0f;
  const uint whole = columns - columns % 4;
  for (uint k = 4 * lane; k < whole; k += 4 * lanes) {
    // Rows of odd length are not aligned to vectors; packed ones need no alignment.
    const float4 left = float4(*(device const packed_float4*)(line + k));
    const float4 right = float4(*(device const packed_float4*)(x + k));
    sum += dot(left, right);
  }
  for (uint k = whole + lane; k < columns; k += lanes) sum = fma(line[k], x[k], sum);

  sum = simd_sum(sum);
  if (lane == 0) y[row] = sum;
}
