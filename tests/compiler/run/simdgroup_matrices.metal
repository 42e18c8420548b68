// 8×8 matrices held by simdgroups: load, multiply, accumulate, store, transposed and at an origin.
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

// kernel: products
// grid: 32
// threadgroup: 32
// in 0: float -3 2 0 -2 3 1 -1 -3 0 -2 3 1 -1 -3 2 0 3 1 -1 -3 2 0 -2 3 -1 -3 2 0 -2 3 1 -1 2 0 -2 3 1 -1 -3 2 -2 3 1 -1 -3 2 0 -2 1 -1 -3 2 0 -2 3 1 -3 2 0 -2 3 1 -1 -3
// in 1: float -2 -1 0 1 2 -2 -1 0 0 1 2 -2 -1 0 1 2 2 -2 -1 0 1 2 -2 -1 -1 0 1 2 -2 -1 0 1 1 2 -2 -1 0 1 2 -2 -2 -1 0 1 2 -2 -1 0 0 1 2 -2 -1 0 1 2 2 -2 -1 0 1 2 -2 -1
// in 2: float 0 -1 -2 -3 -4 -5 -6 -7 1 0 -1 -2 -3 -4 -5 -6 2 1 0 -1 -2 -3 -4 -5 3 2 1 0 -1 -2 -3 -4 4 3 2 1 0 -1 -2 -3 5 4 3 2 1 0 -1 -2 6 5 4 3 2 1 0 -1 7 6 5 4 3 2 1 0
// out 3: float 3 15 -3 -11 -4 3 15 -3 10 -5 0 0 -5 10 -5 0 3 -4 -11 -3 15 3 -4 -11 -4 -10 -1 8 7 -4 -10 -1 -4 -2 -5 12 -1 -4 -2 -5 -4 -1 12 -5 -2 -4 -1 12 -4 7 8 -1 -10 -4 7 8 3 15 -3 -11 -4 3 15 -3
// out 3: float 3 14 -5 -14 -8 -2 9 -10 11 -5 -1 -2 -8 6 -10 -6 5 -3 -11 -4 13 0 -8 -16 -1 -8 0 8 6 -6 -13 -5 0 1 -3 13 -1 -5 -4 -8 1 3 15 -3 -1 -4 -2 10 2 12 12 2 -8 -3 7 7 10 21 2 -7 -1 5 16 -3
// out 3: float -2 0 2 -1 1 -2 0 2 -1 1 -2 0 2 -1 1 -2 0 2 -1 1 -2 0 2 -1 1 -2 0 2 -1 1 -2 0 2 -1 1 -2 0 2 -1 1 -2 0 2 -1 1 -2 0 2 -1 1 -2 0 2 -1 1 -2 0 2 -1 1 -2 0 2 -1
// out 3: float 5 0 0 0 0 0 0 0 0 5 0 0 0 0 0 0 0 0 5 0 0 0 0 0 0 0 0 5 0 0 0 0 0 0 0 0 5 0 0 0 0 0 0 0 0 5 0 0 0 0 0 0 0 0 5 0 0 0 0 0 0 0 0 5
// out 3: float 64*2.5
kernel void products(device const float* a [[buffer(0)]], device const float* b [[buffer(1)]],
                     device const float* c [[buffer(2)]], device float* out [[buffer(3)]]) {
  simdgroup_float8x8 x, y, z, r;
  simdgroup_load(x, a);
  simdgroup_load(y, b, 8);
  simdgroup_load(z, c, 8);
  simdgroup_multiply(r, x, y);
  simdgroup_store(r, out, 8);
  simdgroup_multiply_accumulate(r, x, y, z);
  simdgroup_store(r, out + 64, 8);
  simdgroup_load(y, b, 8, ulong2(0, 0), true);
  simdgroup_store(y, out + 128, 8);
  simdgroup_store(make_diagonal_simdgroup_matrix<float, 8, 8>(5.0f), out + 192, 8);
  simdgroup_store(make_filled_simdgroup_matrix<float, 8, 8>(2.5f), out + 256, 8);
}

// kernel: tiles
// grid: 128
// threadgroup: 128
// in 0: float -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3 -2 -1 0 1 2 3 4 5 -5 -4 -3
// out 1: float 8 59 66 40 -8 -78 -5 24 9 -28 -87 8 59 66 40 -8 34 0 -78 -13 30 51 39 -17 -62 -8 24 34 0 -78 -13 30 -105 -26 9 0 -31 -84 17 74 76 56 14 -105 -26 9 0 -31 64 47 -14 -64 -15 12 17 -22 -61 -1 37 64 47 -14 -64 -15 -108 -1 62 70 56 20 -93 -8 11 8 -17 -108 -1 62 70 56 28 28 -16 -60 -5 28 50 28 -5 -60 -16 28 28 -16 -60 -5 -1 -108 -17 8 11 -8 -93 20 56 70 62 -1 -108 -17 8 11 47 64 37 -1 -61 -22 17 12 -15 -64 -14 47 64 37 -1 -61 -26 -105 14 56 76 74 17 -84 -31 0 9 -26 -105 14 56 76 0 34 24 -8 -62 -17 39 51 30 -13 -78 0 34 24 -8 -62 59 8 -87 -28 9 24 -5 -78 -8 40 66 59 8 -87 -28 9 8 59 66 40 -8 -78 -5 24 9 -28 -87 8 59 66 40 -8 34 0 -78 -13 30 51 39 -17 -62 -8 24 34 0 -78 -13 30 -105 -26 9 0 -31 -84 17 74 76 56 14 -105 -26 9 0 -31 64 47 -14 -64 -15 12 17 -22 -61 -1 37 64 47 -14 -64 -15 -108 -1 62 70 56 20 -93 -8 11 8 -17 -108 -1 62 70 56
kernel void tiles(device const float* m [[buffer(0)]], device float* out [[buffer(1)]],
                  uint t [[thread_index_in_threadgroup]],
                  uint tile [[simdgroup_index_in_threadgroup]]) {
  threadgroup float left[16 * 16];
  for (uint k = t; k < 256; k += 128) left[k] = m[k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const ulong row = tile / 2 * 8, column = tile % 2 * 8;
  simdgroup_float8x8 sum(0);
  for (ulong k = 0; k < 16; k += 8) {
    simdgroup_float8x8 a, b;
    simdgroup_load(a, left, 16, ulong2(k, row));
    simdgroup_load(b, m, 16, ulong2(column, k));
    simdgroup_multiply_accumulate(sum, a, b, sum);
  }
  simdgroup_store(sum, out, 16, ulong2(column, row));
}

// kernel: halves
// grid: 32
// threadgroup: 32
// in 0: half -3 2 0 -2 3 1 -1 -3 0 -2 3 1 -1 -3 2 0 3 1 -1 -3 2 0 -2 3 -1 -3 2 0 -2 3 1 -1 2 0 -2 3 1 -1 -3 2 -2 3 1 -1 -3 2 0 -2 1 -1 -3 2 0 -2 3 1 -3 2 0 -2 3 1 -1 -3
// in 1: half -2 -1 0 1 2 -2 -1 0 0 1 2 -2 -1 0 1 2 2 -2 -1 0 1 2 -2 -1 -1 0 1 2 -2 -1 0 1 1 2 -2 -1 0 1 2 -2 -2 -1 0 1 2 -2 -1 0 0 1 2 -2 -1 0 1 2 2 -2 -1 0 1 2 -2 -1
// out 2: half 3 15 -3 -11 -4 3 15 -3 10 -5 0 0 -5 10 -5 0 3 -4 -11 -3 15 3 -4 -11 -4 -10 -1 8 7 -4 -10 -1 -4 -2 -5 12 -1 -4 -2 -5 -4 -1 12 -5 -2 -4 -1 12 -4 7 8 -1 -10 -4 7 8 3 15 -3 -11 -4 3 15 -3
kernel void halves(device const half* a [[buffer(0)]], device const half* b [[buffer(1)]],
                   device half* out [[buffer(2)]]) {
  simdgroup_half8x8 x, y, r;
  simdgroup_load(x, a, 8);
  simdgroup_load(y, b, 8);
  simdgroup_multiply(r, x, y);
  simdgroup_store(r, out, 8);
}
