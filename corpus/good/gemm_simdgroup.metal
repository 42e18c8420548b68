// C = A B with simdgroup matrices: every simdgroup computes a 16 × 16 block of C out of 8 × 8
// pieces. Rows, columns and inner size are multiples of 16; the host pads with zeros.
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

constant uint piece = 8;
constant uint block = 2 * piece;

kernel void gemm_simdgroup(device const half* a [[buffer(0)]],
                           device const half* b [[buffer(1)]],
                           device float* c [[buffer(2)]],
                           constant uint& rows [[buffer(3)]],
                           constant uint& columns [[buffer(4)]],
                           constant uint& inner [[buffer(5)]],
                           uint group [[threadgroup_position_in_grid]],
                           uint simdgroup [[simdgroup_index_in_threadgroup]],
                           uint simdgroups [[simdgroups_per_threadgroup]]) {
  const uint blocks_across = columns / block;
  const uint which = group * simdgroups + simdgroup;
  // Whole simdgroups leave, so that those that stay are complete.
  if (which >= (rows / block) * blocks_across) return;
  const uint row = (which / blocks_across) * block;
  const uint column = (which % blocks_across) * block;

  simdgroup_float8x8 sums[2][2];
  for (uint i = 0; i < 2; ++i)
    for (uint j = 0; j < 2; ++j) sums[i][j] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);

  for (uint k = 0; k < inner; k += piece) {
    simdgroup_half8x8 left[2];
    simdgroup_half8x8 right[2];
    for (uint i = 0; i < 2; ++i)
      simdgroup_load(left[i], a + (row + i * piece) * inner + k, inner);
    for (uint j = 0; j < 2; ++j)
      simdgroup_load(right[j], b + k * columns + column + j * piece, columns);
    for (uint i = 0; i < 2; ++i)
      for (uint j = 0; j < 2; ++j)
        simdgroup_multiply_accumulate(sums[i][j], left[i], right[j], sums[i][j]);
  }

  for (uint i = 0; i < 2; ++i)
    for (uint j = 0; j < 2; ++j)
      simdgroup_store(sums[i][j], c + (row + i * piece) * columns + column + j * piece,
                      columns);
}
