// Reductions and prefix sums and products over 32 lanes: int, float, half, vectors.
#include <metal_stdlib>
using namespace metal;

// kernel: of_int
// grid: 32
// threadgroup: 32
// in 0: int -8 3 -3 8 2 -4 7 1 -5 6 0 -6 5 -1 -7 4 -2 -8 3 -3 8 2 -4 7 1 -5 6 0 -6 5 -1 -7
// in 1: int 2 1 1 1 1 -1 1 1 1 1 2 1 1 1 1 -1 1 1 1 1 2 1 1 1 1 -1 1 1 1 1 2 1
// out 2: int -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2
// out 2: int -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8
// out 2: int 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8
// out 2: int 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8
// out 2: int 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5
// out 2: int -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6 -6
// out 2: int -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16
// out 2: int -8 -5 -8 0 2 -2 5 6 1 7 7 1 6 5 -2 2 0 -8 -5 -8 0 2 -2 5 6 1 7 7 1 6 5 -2
// out 2: int 0 -8 -5 -8 0 2 -2 5 6 1 7 7 1 6 5 -2 2 0 -8 -5 -8 0 2 -2 5 6 1 7 7 1 6 5
// out 2: int 2 2 2 2 2 -2 -2 -2 -2 -2 -4 -4 -4 -4 -4 4 4 4 4 4 8 8 8 8 8 -8 -8 -8 -8 -8 -16 -16
// out 2: int 1 2 2 2 2 2 -2 -2 -2 -2 -2 -4 -4 -4 -4 -4 4 4 4 4 4 8 8 8 8 8 -8 -8 -8 -8 -8 -16
kernel void of_int(device const int* xs [[buffer(0)]], device const int* ys [[buffer(1)]],
    device int* out [[buffer(2)]], uint lane [[thread_index_in_simdgroup]]) {
  const int x = xs[lane], y = ys[lane];
  out[0 + lane] = simd_sum(x);
  out[32 + lane] = simd_min(x);
  out[64 + lane] = simd_max(x);
  out[96 + lane] = simd_and(x | 8);
  out[128 + lane] = simd_or(x & 5);
  out[160 + lane] = simd_xor(x);
  out[192 + lane] = simd_product(y);
  out[224 + lane] = simd_prefix_inclusive_sum(x);
  out[256 + lane] = simd_prefix_exclusive_sum(x);
  out[288 + lane] = simd_prefix_inclusive_product(y);
  out[320 + lane] = simd_prefix_exclusive_product(y);
}

// kernel: of_float
// grid: 32
// threadgroup: 32
// in 0: float -8 3 -3 8 2 -4 7 1 -5 6 0 -6 5 -1 -7 4 -2 -8 3 -3 8 2 -4 7 1 -5 6 0 -6 5 -1 -7
// in 1: float 2 1 1 1 1 -1 1 1 1 1 2 1 1 1 1 -1 1 1 1 1 2 1 1 1 1 -1 1 1 1 1 2 1
// out 2: float -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2
// out 2: float -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8
// out 2: float 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8
// out 2: float -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16
// out 2: float -8 -5 -8 0 2 -2 5 6 1 7 7 1 6 5 -2 2 0 -8 -5 -8 0 2 -2 5 6 1 7 7 1 6 5 -2
// out 2: float 0 -8 -5 -8 0 2 -2 5 6 1 7 7 1 6 5 -2 2 0 -8 -5 -8 0 2 -2 5 6 1 7 7 1 6 5
// out 2: float 2 2 2 2 2 -2 -2 -2 -2 -2 -4 -4 -4 -4 -4 4 4 4 4 4 8 8 8 8 8 -8 -8 -8 -8 -8 -16 -16
// out 2: float 1 2 2 2 2 2 -2 -2 -2 -2 -2 -4 -4 -4 -4 -4 4 4 4 4 4 8 8 8 8 8 -8 -8 -8 -8 -8 -16
kernel void of_float(device const float* xs [[buffer(0)]], device const float* ys [[buffer(1)]],
    device float* out [[buffer(2)]], uint lane [[thread_index_in_simdgroup]]) {
  const float x = xs[lane], y = ys[lane];
  out[0 + lane] = simd_sum(x);
  out[32 + lane] = simd_min(x);
  out[64 + lane] = simd_max(x);
  out[96 + lane] = simd_product(y);
  out[128 + lane] = simd_prefix_inclusive_sum(x);
  out[160 + lane] = simd_prefix_exclusive_sum(x);
  out[192 + lane] = simd_prefix_inclusive_product(y);
  out[224 + lane] = simd_prefix_exclusive_product(y);
}

// kernel: of_others
// grid: 32
// threadgroup: 32
// out 0: half 32*248
// out 1: float 32*32 32*496
// out 2: uint 32*31 32*0
// out 3: short 32*-31
kernel void of_others(device half* a [[buffer(0)]], device float* b [[buffer(1)]],
                      device uint* c [[buffer(2)]], device short* d [[buffer(3)]],
                      ushort lane [[thread_index_in_simdgroup]]) {
  a[lane] = simd_sum(half(lane) / 2);
  const float2 sums = simd_sum(float2(1, lane));
  b[lane] = sums.x;
  b[32 + lane] = sums.y;
  c[lane] = simd_max(uint(lane));
  c[32 + lane] = simd_min(uint(lane));
  d[lane] = simd_min(short(-short(lane)));
}
