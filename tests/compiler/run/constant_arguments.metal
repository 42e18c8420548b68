// Constants by reference and by pointer, scalars at offsets of four bytes, structs with padding.
#include <metal_stdlib>
using namespace metal;

// kernel: references
// grid: 2
// threadgroup: 2
// in 0 at 4: float 99 2.5
// in 1: float 1 2 3 4
// in 2 at 8: uint 7 8 9 10
// in 3: uchar 200
// out 4: float 216.5 220.5
kernel void references(constant float& a [[buffer(0)]], constant float4& b [[buffer(1)]],
                       constant uint* c [[buffer(2)]], constant uchar& d [[buffer(3)]],
                       device float* out [[buffer(4)]], uint i [[thread_position_in_grid]]) {
  out[i] = a + b.w + float(c[i]) + float(d) + (i == 0 ? b.x : b.w);
}

struct Params {
  uint count;
  float3 origin;          // 16 bytes, at 16
  packed_float3 spacing;  // 12 bytes, at 32
  float dt;               // at 44
  half2 pair;             // at 48
  char flag;              // at 52
  ulong big;              // at 56
  float2 corners[2];      // at 64
};

// kernel: arguments
// grid: 1
// threadgroup: 1
// in 0: uint 3 91 92 93
// in 0: float 1 2 3 94 0.5 0.25 0.125 10
// in 0: half 1.5 2.5
// in 0: char -5 1 2 3
// in 0: ulong 12345678901
// in 0: float 7 8 9 10
// out 1: float 3 1 2 3 0.5 0.25 0.125 10 1.5 2.5 -5 7 8 9 10 80
// out 2: ulong 12345678901
kernel void arguments(constant Params& p [[buffer(0)]], device float* out [[buffer(1)]],
                      device ulong* big [[buffer(2)]]) {
  out[0] = p.count;
  out[1] = p.origin.x;
  out[2] = p.origin.y;
  out[3] = p.origin.z;
  out[4] = p.spacing.x;
  out[5] = p.spacing[1];
  out[6] = p.spacing.z;
  out[7] = p.dt;
  out[8] = p.pair.x;
  out[9] = p.pair.y;
  out[10] = p.flag;
  out[11] = p.corners[0].x;
  out[12] = p.corners[0].y;
  out[13] = p.corners[1].x;
  out[14] = p.corners[1].y;
  out[15] = sizeof(Params);
  big[0] = p.big;
}
