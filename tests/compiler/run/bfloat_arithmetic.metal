// Arithmetic of bfloat: rounded after each operation.
#include <metal_stdlib>
using namespace metal;

// kernel: scalars
// grid: 4
// threadgroup: 4
// in 0: bfloat 0x1.1a00000000000p+0 1000 -0x1.a600000000000p+1 0x1.0600000000000p-10
// in 1: bfloat 0x1.5a00000000000p+1 0x1.3400000000000p-2 0x1.0400000000000p+3 4992
// out 2: bfloat 0x1.e800000000000p+1 1000 0x1.3400000000000p+2 4992
// out 2: bfloat 0x1.7e00000000000p+1 300 -0x1.ac00000000000p+4 5
// out 2: bfloat 0x1.a200000000000p-2 3328 -0x1.a000000000000p-2 0x1.ae00000000000p-23
// out 2: bfloat 0x1.9a00000000000p+0 1000 -0x1.6600000000000p+1 0x1.0000000000000p-1
// out 2: bfloat 0x1.5a00000000000p+1 1000 0x1.0400000000000p+3 4992
kernel void scalars(device const bfloat* x [[buffer(0)]], device const bfloat* y [[buffer(1)]],
                    device bfloat* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const bfloat a = x[i], b = y[i];
  out[0 + i] = a + b;
  out[4 + i] = a * b;
  out[8 + i] = a / b;
  out[12 + i] = bfloat(float(a) + 0.5f);
  out[16 + i] = max(a, b);
}

// kernel: vectors
// grid: 1
// threadgroup: 1
// in 0: bfloat 0x1.1a00000000000p+0 1000 -0x1.a600000000000p+1 0x1.0600000000000p-10
// out 1: bfloat 0x1.1a00000000000p+1 2000 -0x1.a600000000000p+2 0x1.0600000000000p-9
// out 2: float 0x1.1a00000000000p+0 1000 -0x1.a600000000000p+1 0x1.0600000000000p-10
kernel void vectors(device const bfloat4* x [[buffer(0)]], device bfloat4* out [[buffer(1)]],
                    device float4* wide [[buffer(2)]]) {
  out[0] = x[0] + x[0];
  wide[0] = float4(x[0]);
}
