// Functions of three operands, the next number, and whether numbers can be compared.
#include <metal_stdlib>
using namespace metal;

// kernel: floats
// grid: 4
// threadgroup: 4
// in 0: float 1 -2.5 7 0
// in 1: float 2 -3.5 -7 0
// in 2: float 3 -3 0.5 -1
// out 3: float 3 -2.5 7 0 1 -3.5 -7 -1 2 -3 0.5 0
// out 3: float 3 -2.5 7 0 1 -3.5 -7 -1 2 -3 0.5 0
// out 3: float 0x1.0000020000000p+0 -0x1.4000020000000p+1 0x1.bffffe0000000p+2 0x0.0p+0
kernel void floats(device const float* x [[buffer(0)]], device const float* y [[buffer(1)]],
                   device const float* z [[buffer(2)]], device float* out [[buffer(3)]],
                   uint i [[thread_position_in_grid]]) {
  out[i] = max3(x[i], y[i], z[i]);
  out[4 + i] = min3(x[i], y[i], z[i]);
  out[8 + i] = median3(x[i], y[i], z[i]);
  out[12 + i] = fmax3(x[i], y[i], z[i]);
  out[16 + i] = fmin3(x[i], y[i], z[i]);
  out[20 + i] = fmedian3(x[i], y[i], z[i]);
  out[24 + i] = nextafter(x[i], y[i]);
}

// kernel: integers
// grid: 4
// threadgroup: 4
// in 0: int 5 -9 2147483647 0
// in 1: int 4 -8 -2147483648 0
// in 2: int 6 -7 1 -1
// out 3: int 6 -7 2147483647 0 4 -9 -2147483648 -1 5 -8 1 0
kernel void integers(device const int* x [[buffer(0)]], device const int* y [[buffer(1)]],
                     device const int* z [[buffer(2)]], device int* out [[buffer(3)]],
                     uint i [[thread_position_in_grid]]) {
  out[i] = max3(x[i], y[i], z[i]);
  out[4 + i] = min3(x[i], y[i], z[i]);
  out[8 + i] = median3(x[i], y[i], z[i]);
}
