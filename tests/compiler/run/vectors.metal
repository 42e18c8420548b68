// Vectors: swizzles read and written, dynamic indices, building, comparison, as_type.
#include <metal_stdlib>
using namespace metal;

// kernel: swizzles
// grid: 1
// threadgroup: 1
// in 0: float 1 2 3 4
// out 1: float 4 3 2 1
// out 1: float 20 2 10 4
// out 1: float 1 1 2 2
// out 1: float 3 4 5 6
// out 1: float 1 2 3 10
// out 1: float 2 1 9 9
kernel void swizzles(device const float4& x [[buffer(0)]], device float4* out [[buffer(1)]]) {
  out[0] = x.wzyx;
  float4 v = x;
  v.zx = float2(10, 20);
  out[1] = v;
  out[2] = x.rrgg;
  v = x;
  v += 2.0f;
  out[3] = v;
  v = x;
  v.w = v.x + v.y + v.z + v.w;
  out[4] = v;
  v.xy = v.yx;
  v.zw = 9;
  out[5] = v;
}

// kernel: dynamic_index
// grid: 4
// threadgroup: 4
// in 0: int 10 20 30 40
// in 1: uint 2 0 3 1
// out 2: int 30 10 40 20
// out 3: int 10 20 -1 40
// out 3: int -1 20 30 40
// out 3: int 10 20 30 -1
// out 3: int 10 -1 30 40
kernel void dynamic_index(device const int4& x [[buffer(0)]], device const uint* at [[buffer(1)]],
                          device int* out [[buffer(2)]], device int4* changed [[buffer(3)]],
                          uint i [[thread_position_in_grid]]) {
  out[i] = x[at[i]];
  int4 v = x;
  v[at[i]] = -1;
  changed[i] = v;
}

// kernel: three
// grid: 2
// threadgroup: 2
// in 0: float 1 2 3 99 4 5 6 99
// out 1: float 5 7 9
// out 2: uint 3 2 1
kernel void three(device const float3* x [[buffer(0)]], device float* out [[buffer(1)]],
                  device uint* reversed [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const float3 sum = x[0] + x[1];
  const uint3 r = uint3(x[0]).zyx;
  if (i == 0)
    for (int k = 0; k < 3; ++k) {
      out[k] = sum[k];
      reversed[k] = r[k];
    }
}

// kernel: bits
// grid: 1
// threadgroup: 1
// in 0: float 1 -2
// out 1: uint 0x3f800000 0xc0000000 0x0403 0x3c00
// out 2: float 1.5 inf
kernel void bits(device const float2& x [[buffer(0)]], device uint* out [[buffer(1)]],
                 device float* back [[buffer(2)]]) {
  const uint2 u = as_type<uint2>(x);
  out[0] = u.x;
  out[1] = u.y;
  out[2] = as_type<ushort>(uchar2(3, 4));
  out[3] = as_type<ushort>(half(1));
  back[0] = as_type<float>(0x3fc00000u);
  back[1] = as_type<float>(0x7f800000);
}

// kernel: conversions
// grid: 1
// threadgroup: 1
// in 0: float -1.75 2.5 300.25 0
// out 1: int -1 2 300 0
// out 2: float 1 3 0 255
// out 3: uchar 1 1 1 0
kernel void conversions(device const float4& x [[buffer(0)]], device int4& ints [[buffer(1)]],
                        device float4& floats [[buffer(2)]], device uchar4& truths [[buffer(3)]]) {
  ints = int4(x);
  floats = float4(float2(1, 3), 0, float(uchar(511)));
  truths = uchar4(bool4(x));
}
