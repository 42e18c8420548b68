// Shuffles and broadcasts among 32 lanes; what has no source keeps its own value where both are defined.
#include <metal_stdlib>
using namespace metal;

// kernel: of_uint
// grid: 32
// threadgroup: 32
// in 0: uint 4 11 18 25 32 7 14 21 28 3 10 17 24 31 6 13 20 27 2 9 16 23 30 5 12 19 26 1 8 15 22 29
// out 1: uint 4 7 10 13 16 19 22 25 28 31 2 5 8 11 14 17 20 23 26 29 32 3 6 9 12 15 18 21 24 27 30 1
// out 1: uint 7 32 21 14 11 4 25 18 31 24 13 6 3 28 17 10 23 16 5 30 27 20 9 2 15 8 29 22 19 12 1 26
// out 1: uint 0 0 0 4 11 18 25 32 7 14 21 28 3 10 17 24 31 6 13 20 27 2 9 16 23 30 5 12 19 26 1 8
// out 1: uint 32 7 14 21 28 3 10 17 24 31 6 13 20 27 2 9 16 23 30 5 12 19 26 1 8 15 22 29 0 0 0 0
// out 1: uint 15 22 29 4 11 18 25 32 7 14 21 28 3 10 17 24 31 6 13 20 27 2 9 16 23 30 5 12 19 26 1 8
// out 1: uint 25 32 7 14 21 28 3 10 17 24 31 6 13 20 27 2 9 16 23 30 5 12 19 26 1 8 15 22 29 4 11 18
// out 1: uint 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3
// out 1: uint 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4
// out 1: uint 122 129 4 11 18 25 32 7 14 21 28 3 10 17 24 31 6 13 20 27 2 9 16 23 30 5 12 19 26 1 8 15
// out 1: uint 18 25 32 7 14 21 28 3 10 17 24 31 6 13 20 27 2 9 16 23 30 5 12 19 26 1 8 15 22 29 104 111
// out 1: uint 121 4 11 18 25 32 7 14 113 28 3 10 17 24 31 6 105 20 27 2 9 16 23 30 129 12 19 26 1 8 15 22
kernel void of_uint(device const uint* in [[buffer(0)]], device uint* out [[buffer(1)]],
                    uint lane [[thread_index_in_simdgroup]]) {
  const uint x = in[lane];
  out[0 + lane] = simd_shuffle(x, ushort((lane * 5) % 32));
  out[32 + lane] = simd_shuffle_xor(x, 5);
  const uint up = simd_shuffle_up(x, 3);
  out[64 + lane] = lane >= 3 ? up : 0;  // below, undefined
  const uint down = simd_shuffle_down(x, 4);
  out[96 + lane] = lane < 28 ? down : 0;  // above, undefined
  out[128 + lane] = simd_shuffle_rotate_up(x, 3);
  out[160 + lane] = simd_shuffle_rotate_down(x, 3);
  out[192 + lane] = simd_broadcast(x, 9);
  out[224 + lane] = simd_broadcast_first(x);
  out[256 + lane] = simd_shuffle_and_fill_up(x, 100u + x, 2);
  out[288 + lane] = simd_shuffle_and_fill_down(x, 100u + x, 2);
  out[320 + lane] = simd_shuffle_and_fill_up(x, 100u + x, 1, 8);
}

// kernel: of_others
// grid: 32
// threadgroup: 32
// out 0: float 1.5 0.5 3.5 2.5 5.5 4.5 7.5 6.5 9.5 8.5 11.5 10.5 13.5 12.5 15.5 14.5 17.5 16.5 19.5 18.5 21.5 20.5 23.5 22.5 25.5 24.5 27.5 26.5 29.5 28.5 31.5 30.5
// out 1: half 1.0 1.5 0.0 0.5 3.0 3.5 2.0 2.5 5.0 5.5 4.0 4.5 7.0 7.5 6.0 6.5 9.0 9.5 8.0 8.5 11.0 11.5 10.0 10.5 13.0 13.5 12.0 12.5 15.0 15.5 14.0 14.5
// out 2: short -4 -5 -6 -7 0 -1 -2 -3 -12 -13 -14 -15 -8 -9 -10 -11 -20 -21 -22 -23 -16 -17 -18 -19 -28 -29 -30 -31 -24 -25 -26 -27
// out 3: float 8 -8 16 0 9 -9 18 0 10 -10 20 0 11 -11 22 0 12 -12 24 0 13 -13 26 0 14 -14 28 0 15 -15 30 0 0 0 0 0 1 -1 2 0 2 -2 4 0 3 -3 6 0 4 -4 8 0 5 -5 10 0 6 -6 12 0 7 -7 14 0 24 -24 48 0 25 -25 50 0 26 -26 52 0 27 -27 54 0 28 -28 56 0 29 -29 58 0 30 -30 60 0 31 -31 62 0 16 -16 32 0 17 -17 34 0 18 -18 36 0 19 -19 38 0 20 -20 40 0 21 -21 42 0 22 -22 44 0 23 -23 46 0
// out 4: uchar 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
kernel void of_others(device float* a [[buffer(0)]], device half* b [[buffer(1)]],
                      device short* c [[buffer(2)]], device float4* d [[buffer(3)]],
                      device uchar* e [[buffer(4)]], ushort lane [[thread_index_in_simdgroup]]) {
  a[lane] = simd_shuffle_xor(float(lane) + 0.5f, 1);
  b[lane] = simd_shuffle_xor(half(lane) / 2, 2);
  c[lane] = simd_shuffle_xor(short(-short(lane)), 4);
  const float x = float(lane);
  d[lane] = simd_shuffle_xor(float4(x, -x, 2 * x, 0), 8);
  e[lane] = simd_shuffle(uchar(lane), ushort(31 - lane));
}
