// Vectors that stay whole: each kernel computes in ways that OpenCL C has for vectors, too.
#include <metal_stdlib>
using namespace metal;

// kernel: signed_numbers
// grid: 1
// threadgroup: 1
// in 0: int -7 9 2147483647 -100 2 -4 3 7
// out 1: int -3 -2 715827882 -14
// out 1: int -1 1 1 -2
// out 1: int -2 2 536870911 -25
// out 1: int -2 9 268435455 -13
// out 1: int -7 -4 3 -100
// out 1: int 2 9 2147483647 7
// out 1: int 7 9 2147483647 100
// out 1: int -14 -44 2147483642 -704
// out 1: int 4 10 -2147483645 100
kernel void signed_numbers(device const int4* in [[buffer(0)]], device int4* out [[buffer(1)]]) {
  const int4 a = in[0], b = in[1];
  out[0] = a / b;
  out[1] = a % b;
  out[2] = a >> 2;
  out[3] = a >> (b & 3);
  out[4] = min(a, b);
  out[5] = max(a, b);
  out[6] = int4(abs(a));
  out[7] = a * b - (a & b);
  out[8] = a ^ ~b;
}

// kernel: between_types
// grid: 1
// threadgroup: 1
// in 0: float 1.75 -2.5 3 100
// in 1: int -3 7 0 16777216
// in 2: uint 4294967040 1 0 65536
// out 3: float -3 7 0 16777216
// out 3: float 4294967040 1 0 65536
// out 3: float 1 -2 3 100
// out 4: int 1 -2 3 100
// out 4: int -3 7 0 0
// out 4: int 65280 1 0 0
// out 4: int 1 2 3 100
kernel void between_types(device const float4& x [[buffer(0)]], device const int4& i [[buffer(1)]],
                          device const uint4& u [[buffer(2)]], device float4* reals [[buffer(3)]],
                          device int4* ints [[buffer(4)]]) {
  reals[0] = float4(i);
  reals[1] = float4(u);
  reals[2] = trunc(x);
  ints[0] = int4(x);
  ints[1] = int4(char4(i));
  ints[2] = int4(ushort4(u));
  ints[3] = int4(uint4(fabs(x)));
}

// kernel: comparisons
// grid: 1
// threadgroup: 1
// in 0: float 1 nan 3 -0 2 1 3 0
// out 1: float 1 0 0 0
// out 1: float 1 0 1 1
// out 1: float 0 0 1 1
// out 1: float 1 1 0 0
// out 1: float 0 1 1 1
// out 1: float 1 1 0 0
kernel void comparisons(device const float4* in [[buffer(0)]], device float4* out [[buffer(1)]]) {
  const float4 x = in[0], y = in[1];
  out[0] = float4(x < y);
  out[1] = float4(x <= y);
  out[2] = float4(x == y);
  out[3] = float4(x != y);
  out[4] = float4(!(x < y));
  out[5] = float4(!(x >= y));
}

// kernel: narrow_and_wide
// grid: 1
// threadgroup: 1
// in 0: short -300 20 5 -7 4 -20 5 9
// in 1: long -5000000000 7 4 -1
// in 2: uchar 200 3 100 9
// out 3: short 1 0 0 1
// out 3: short 4 20 5 9
// out 3: short 0 20 0 0
// out 4: long -5000000000 -1
// out 4: long 1 0
// out 5: uchar 0 1 0 1
// out 5: uchar 199 2 99 8
kernel void narrow_and_wide(device const short4* s [[buffer(0)]], device const long2* l [[buffer(1)]],
                            device const uchar4* c [[buffer(2)]], device short4* shorts [[buffer(3)]],
                            device long2* longs [[buffer(4)]], device uchar4* chars [[buffer(5)]]) {
  shorts[0] = short4(s[0] < s[1]);
  shorts[1] = max(s[0], s[1]);
  shorts[2] = s[0] > s[1] ? s[0] : short4(0);
  longs[0] = min(l[0], l[1]);
  longs[1] = long2(l[0] < l[1]);
  chars[0] = uchar4(c[0] < 10);
  chars[1] = c[0] - uchar4(1);
}

// kernel: roots
// grid: 1
// threadgroup: 1
// in 0: float 1 4 0.25 64
// out 1: float 1 0.5 2 0.125
// out 1: float 1 2 0.5 8
// out 1 within 1e-6: float 1 16 0.0625 0
// out 1 within 1e-6: float 1 0.70710678 1.41421356 0
kernel void roots(device const float4& x [[buffer(0)]], device float4* out [[buffer(1)]]) {
  out[0] = rsqrt(x);
  out[1] = sqrt(x);
  out[2] = float4(powr(x.xyz, 2.0f), 0.0f);
  out[3] = float4(sinpi(x.xy * 0.5f).x, rsqrt(sqrt(x.yz)), 0.0f);
}

// kernel: rounds
// grid: 1
// threadgroup: 1
// in 0: float 3 1 8 5 1 9 2 6 4 4 4 4
// in 2: uint 3
// out 1: float 1 1 2 4
// out 1: float 8 14 14 15
// out 1: float 1 1 1 1
kernel void rounds(device const float4* in [[buffer(0)]], device float4* out [[buffer(1)]],
                   constant uint& count [[buffer(2)]]) {
  float4 least = INFINITY, sum = 0.0f;
  bool4 below = false;
  for (uint i = 0; i < count; ++i) {
    least = min(least, in[i]);
    sum += in[i];
    below = below || (in[i] < 3.5f) || (in[i] > 4.5f);
  }
  out[0] = least;
  out[1] = sum;
  out[2] = float4(below);
}
