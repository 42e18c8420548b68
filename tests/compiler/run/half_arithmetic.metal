// Arithmetic of half: rounded after each operation, whatever it is computed in.
#include <metal_stdlib>
using namespace metal;

// kernel: scalars
// grid: 8
// threadgroup: 8
// in 0: half 0x1.9980000000000p-4 0x1.f440000000000p+9 0x1.9200000000000p+1 -0x1.d340000000000p+2 2048 0x1.a380000000000p-14 65504 0x1.5540000000000p-2
// in 1: half 0x1.9980000000000p-3 0x1.5500000000000p-2 0x1.5c00000000000p+1 0x1.47c0000000000p-7 3 0x1.3a80000000000p-12 -1 3
// in 2: half 0x1.6680000000000p-1 -333 -0x1.1000000000000p+3 0x1.1ec0000000000p-4 1 0x1.0000000000000p-1 2 -1
// out 3: half 0x1.3300000000000p-2 1001 0x1.7700000000000p+2 -0x1.d280000000000p+2 2052 0x1.a380000000000p-12 65504 0x1.aac0000000000p+1
// out 3: half -0x1.9980000000000p-4 1000 0x1.b000000000000p-2 -0x1.d400000000000p+2 2045 -0x1.a340000000000p-13 65504 -0x1.5540000000000p+1
// out 3: half 0x1.4780000000000p-6 0x1.4d40000000000p+8 0x1.1140000000000p+3 -0x1.2b00000000000p-4 6144 0x1.0000000000000p-24 -65504 1
// out 3: half 0x1.0000000000000p-1 3004 0x1.27c0000000000p+0 -730 0x1.5540000000000p+9 0x1.5580000000000p-2 -65504 0x1.c700000000000p-4
// out 3: half 0x1.43c0000000000p-2 0x1.fa00000000000p+4 0x1.c5c0000000000p+0 0x1.59c0000000000p+1 0x1.6a00000000000p+5 0x1.47c0000000000p-7 0x1.ffc0000000000p+7 0x1.2780000000000p-1
// out 3: half 0x1.9980000000000p-4 0x1.5500000000000p-2 0x1.5c00000000000p+1 -0x1.d340000000000p+2 3 0x1.a380000000000p-14 -1 0x1.5540000000000p-2
// out 3: half 0x1.6680000000000p-1 0x1.f440000000000p+9 0x1.9200000000000p+1 0x1.1ec0000000000p-4 2048 0x1.0000000000000p-1 65504 0x1.5540000000000p-2
// out 3: half -0x1.9980000000000p-4 -0x1.f440000000000p+9 -0x1.9200000000000p+1 0x1.d340000000000p+2 -2048 -0x1.a380000000000p-14 -65504 -0x1.5540000000000p-2
// out 3: half 0 1000 3 -8 2048 0 65504 0
// out 3: half 0x1.3300000000000p-2 3002 0x1.2d80000000000p+3 -0x1.5e80000000000p+4 6144 0x1.3a80000000000p-12 inf 1
// out 3: half 0x1.70c0000000000p-1 0x1.6500000000000p-3 0x1.3c00000000000p-5 -0x1.8b40000000000p-9 6144 0x1.0000000000000p-1 -65504 -0x1.0000000000000p-12
// out 3: half 1 1 3 1 4 1 0 4
// out 3: half 0x1.1980000000000p+0 0x1.f4c0000000000p+9 0x1.0900000000000p+2 -0x1.9340000000000p+2 2048 1 65504 0x1.5540000000000p+0
// out 3: half 2 1 1 2 1 2 1 2
kernel void scalars(device const half* x [[buffer(0)]], device const half* y [[buffer(1)]],
                    device const half* z [[buffer(2)]], device half* out [[buffer(3)]],
                    uint i [[thread_position_in_grid]]) {
  const half a = x[i], b = y[i], c = z[i];
  out[0 + i] = a + b;  // expect: absorbed
  out[8 + i] = a - b;
  out[16 + i] = a * b;
  out[24 + i] = a / b;
  out[32 + i] = sqrt(abs(a));
  out[40 + i] = min(a, b);
  out[48 + i] = max(a, c);
  out[56 + i] = -a;
  out[64 + i] = floor(a);
  out[72 + i] = half(float(a) * 3.0f);  // expect: not_finite
  out[80 + i] = fma(a, b, c);
  out[88 + i] = half(int(b) + 1);
  out[96 + i] = a + 1.0h;
  out[104 + i] = half(a > b ? 1 : 2);
}

// kernel: sums
// grid: 1
// threadgroup: 1
// in 0: half 0x1.9980000000000p-4
// out 1: half 0x1.4280000000000p+3
kernel void sums(device const half& step [[buffer(0)]], device half* out [[buffer(1)]]) {
  half sum = 0;
  for (int i = 0; i < 100; ++i) sum += step;
  out[0] = sum;
}

// kernel: vectors
// grid: 1
// threadgroup: 1
// in 0: half 0x1.8000000000000p+0 -0x1.2000000000000p+1 0x1.9980000000000p-4 300
// in 1: half 0x1.4000000000000p+1 0x1.3340000000000p-2 0x1.6680000000000p-1 400
// out 2: half 4 -0x1.f340000000000p+0 0x1.99c0000000000p-1 700
// out 2: half 0x1.e000000000000p+1 -0x1.59c0000000000p-1 0x1.1ec0000000000p-4 inf
// out 2: half -0x1.2000000000000p+1 0x1.8000000000000p+0 0x1.6680000000000p-1 0
// out 3: float 0x1.8000000000000p+0 -0x1.2000000000000p+1 0x1.9980000000000p-4 300
// out 4: ushort 15872 49280 11878 23728
kernel void vectors(device const half4& x [[buffer(0)]], device const half4& y [[buffer(1)]],
                    device half4* out [[buffer(2)]], device float4* wide [[buffer(3)]],
                    device ushort4* bits [[buffer(4)]]) {
  out[0] = x + y;
  out[1] = x * y;
  out[2] = half4(x.yx, y.z, 0);
  wide[0] = float4(x);
  bits[0] = as_type<ushort4>(x);
}
