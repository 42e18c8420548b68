// 8x8 matrices that a simdgroup holds.
#include <metal_simdgroup_matrix>
#include <metal_stdlib>
using namespace metal;

template <typename T>
simdgroup_matrix<T, 8, 8> scaled(simdgroup_matrix<T, 8, 8> m, T factor) {
  m.thread_elements()[0] *= factor;
  m.thread_elements()[1] *= factor;
  return m;
}
void clear(thread simdgroup_float8x8 (&tiles)[2][2]) {
  for (int i = 0; i < 4; ++i) tiles[i / 2][i % 2] = simdgroup_float8x8(0);
}

kernel void multiply(device const half* a [[buffer(0)]], device const half* b [[buffer(1)]],
                     device float* c [[buffer(2)]], constant uint& width [[buffer(3)]]) {
  threadgroup half tile[64];
  simdgroup_half8x8 left, right;
  simdgroup_float8x8 sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  simdgroup_float8x8 tiles[2][2];
  clear(tiles);
  simdgroup_load(left, a, width);
  simdgroup_load(right, tile);
  simdgroup_load(right, b + 8, width, ulong2(8, 16), true);
  simdgroup_multiply_accumulate(sum, left, right, sum);
  simdgroup_multiply(tiles[0][1], left, right);
  simdgroup_multiply_accumulate(tiles[1][1], left, sum, make_diagonal_simdgroup_matrix<float, 8, 8>(2));
  sum = scaled(sum, 2.0f);
  simdgroup_store(sum, c, width, ulong2(0, 8));
  simdgroup_store(left, tile, 8, 0, false);
}
