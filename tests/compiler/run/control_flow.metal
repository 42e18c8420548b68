// switch with and without fall-through, nested loops with break and continue, do, goto-free state.
#include <metal_stdlib>
using namespace metal;

// kernel: choose
// grid: 8
// threadgroup: 8
// out 0: int 10 21 20 30 99 99 -6 99
kernel void choose(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int r = 0;
  switch (i) {
    case 0:
      r = 10;
      break;
    case 1:
      r = 1;  // falls through
    case 2:
      r += 20;
      break;
    case 3: {
      r = 30;
      break;
    }
    case 6:
      out[i] = -6;
      return;
    default:
      r = 99;
  }
  out[i] = r;
}

// kernel: loops
// grid: 6
// threadgroup: 3
// out 0: uint 0 1 5 14 14 39
kernel void loops(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint sum = 0;
  for (uint a = 0; a <= i; ++a) {
    if (a == 4) continue;
    uint b = 0;
    while (true) {
      if (b == a) break;
      sum += a;
      ++b;
    }
  }
  out[i] = sum;
}

// kernel: collatz
// grid: 8
// threadgroup: 4
// out 0: uint 0 1 7 2 5 8 16 3
kernel void collatz(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint n = i + 1, steps = 0;
  if (n > 1) do {
      n = n % 2 ? 3 * n + 1 : n / 2;
      ++steps;
    } while (n != 1);
  out[i] = steps;
}

// kernel: private_arrays
// grid: 4
// threadgroup: 4
// in 0: uint 5 3 8 1 9 2 7 4 6 0 5 5 1 1 2 2
// out 1: uint 1 3 5 8 2 4 7 9 0 5 5 6 1 1 2 2
kernel void private_arrays(device const uint* in [[buffer(0)]], device uint* out [[buffer(1)]],
                           uint i [[thread_position_in_grid]]) {
  uint v[4];
  for (uint k = 0; k < 4; ++k) v[k] = in[4 * i + k];
  for (uint a = 1; a < 4; ++a)
    for (uint b = a; b > 0 && v[b - 1] > v[b]; --b) {
      const uint t = v[b];
      v[b] = v[b - 1];
      v[b - 1] = t;
    }
  for (uint k = 0; k < 4; ++k) out[4 * i + k] = v[k];
}

// kernel: histogram
// grid: 2
// threadgroup: 2
// in 0: uchar 1 3 3 0 2 2 2 1
// out 1: int 1 1 0 2 0 1 3 0
kernel void histogram(device const uchar* in [[buffer(0)]], device int* out [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  int counts[4] = {0, 0, 0, 0};
  for (int k = 0; k < 4; ++k) counts[in[4 * i + k]]++;
  for (int k = 0; k < 4; ++k) out[4 * i + k] = counts[k];
}
