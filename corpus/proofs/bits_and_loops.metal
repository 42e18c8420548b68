// Indices whose bits are spread, joined or moved, and indices that one loop leaves to the next.
// claims column: bounds x proved; races x proved
// claims column_too_long: bounds x refuted 44
// claims in_fours: bounds x proved; races x proved
// claims in_fours_too_long: bounds x refuted 70
// claims strided: bounds x proved
// claims strided_too_long: bounds x refuted 102
// claims neighbour: bounds x proved; races y proved
// claims neighbour_unguarded: bounds x refuted 128
// claims moved_bits: bounds y proved; races y proved
// claims lost_bits: bounds y proved; races y refuted 147
// kernel: column
// grid: 32 4
// threadgroup: 32
// in 0: float 4096*1
// kernel: column_too_long
// grid: 32 4
// threadgroup: 32
// in 0: float 4096*1
// kernel: in_fours
// grid: 64
// threadgroup: 64
// in 0: float 1920*1
// in 1: uint 30
// kernel: in_fours_too_long
// grid: 64
// threadgroup: 64
// in 0: float 1920*1
// in 1: uint 30
#include <metal_stdlib>
using namespace metal;

// The bits of the three parts of the index do not meet.
kernel void column(device float* x, uint2 p [[thread_position_in_grid]]) {
  const uint first = p.y * 1024 + p.x;
#pragma clang loop unroll(disable)
  for (uint j = 0; j < 32; ++j) x[first + j * 32] += 1;
}

kernel void column_too_long(device float* x, uint2 p [[thread_position_in_grid]]) {
  const uint first = p.y * 1024 + p.x;
#pragma clang loop unroll(disable)
  for (uint j = 0; j <= 32; ++j)
    x[first + j * 32] += 1;
}

// Where the first loop ends, the second one goes on.
kernel void in_fours(device float* x, constant uint& n, uint i [[thread_position_in_grid]]) {
  uint at = i, count = 0;
  for (; count + 4 <= n; count += 4) {
    x[at] = 1;
    x[at + 64] = 2;
    x[at + 128] = 3;
    x[at + 192] = 4;
    at += 256;
  }
  for (; count < n; ++count, at += 64) x[at] = 5;
}

kernel void in_fours_too_long(device float* x, constant uint& n, uint i [[thread_position_in_grid]]) {
  uint at = i, count = 0;
  for (; count + 4 <= n; count += 4) {
    x[at] = 1;
    x[at + 64] = 2;
    x[at + 128] = 3;
    x[at + 192] = 4;
    at += 256;
  }
  for (; count <= n; ++count, at += 64)
    x[at] = 5;
}
// kernel: strided
// grid: 64
// threadgroup: 64
// in 0: float 1000*1
// in 1: uint 1000
// kernel: strided_too_long
// grid: 64
// threadgroup: 64
// in 0: float 1000*1
// in 1: uint 1000

// The second loop begins at another place in each thread.
kernel void strided(device float* x, constant uint& n, uint i [[thread_position_in_grid]]) {
  uint k = i;
  for (; k + 256 <= n; k += 256) {
    x[k] = 1;
    x[k + 64] = 2;
    x[k + 128] = 3;
    x[k + 192] = 4;
  }
  for (; k < n; k += 64) x[k] = 5;
}

kernel void strided_too_long(device float* x, constant uint& n, uint i [[thread_position_in_grid]]) {
  uint k = i;
  for (; k + 256 <= n; k += 256) {
    x[k] = 1;
    x[k + 64] = 2;
  }
  for (; k <= n; k += 64)
    x[k] = 5;
}
// kernel: neighbour
// grid: 512
// threadgroup: 64
// in 0: float 512*1
// in 1: float 512*0
// kernel: neighbour_unguarded
// grid: 512
// threadgroup: 64
// in 0: float 512*1
// in 1: float 512*0

// Every third bit is one of x: a sum carries over the others, which are ones.
kernel void neighbour(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  const uint others = i & 0x1B6;
  if ((i & 0x49) == 0x49) return;
  const uint right = (((i | 0xDB6) + 1) & 0x249) | others;
  y[i] = x[right] - x[i];
}

kernel void neighbour_unguarded(device const float* x, device float* y,
                                uint i [[thread_position_in_grid]]) {
  const uint others = i & 0x1B6;
  const uint right = (((i | 0xDB6) + 1) & 0x249) | others;
  y[i] =
      x[right];
}
// kernel: moved_bits
// grid: 512
// threadgroup: 64
// in 0: uint 512*0
// kernel: lost_bits
// grid: 512
// threadgroup: 64
// in 0: uint 512*0

// No two threads have the same bits in another order.
kernel void moved_bits(device uint* y, uint i [[thread_position_in_grid]]) {
  const uint at = (i & 0x49) << 1 | (i & 0x92) >> 1 | (i & 0x124);
  y[at] = i;
}

kernel void lost_bits(device uint* y, uint i [[thread_position_in_grid]]) {
  const uint at = (i & 0x49) << 1 | (i & 0x92) >> 1;
  y[at] =
      i;
}
