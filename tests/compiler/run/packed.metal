// Packed vectors: their layout, elements and swizzles as values, arithmetic, conversion.
#include <metal_stdlib>
using namespace metal;

// kernel: floats
// grid: 2
// threadgroup: 2
// in 0: float 1 2 3 4 5 6
// in 1: float 0.5 1.5 2.5 3.5 4.5 5.5
// out 1: float 2.5 5.5 8.5 11.5 14.5 17.5
// out 2: float 3 2 1 14 6 5 4 77
kernel void floats(device const packed_float3* x [[buffer(0)]],
                   device packed_float3* y [[buffer(1)]], device packed_float4* z [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  const float3 a = x[i];
  y[i] += 2 * a;
  packed_float4 r(a.z, a.y, a.x, 0);
  r.w = dot(a, float3(x[i]));
  z[i] = r;
}

// kernel: elements
// grid: 1
// threadgroup: 1
// in 0: short 1 2 3 4 5 6
// out 0: short 1 20 3 5 4 16
kernel void elements(device packed_short3* x [[buffer(0)]]) {
  x[0][1] = 20;
  x[1].xy = x[1].yx;
  x[1].z += 10;
}

struct Particle {
  packed_float3 at;
  float mass;
  packed_uchar4 color;
  packed_half2 spin;
};

// kernel: in_structs
// grid: 2
// threadgroup: 2
// in 0: float 1 2 3 4
// in 0: uchar 10 20 30 40
// in 0: half 0.5 -0.5
// in 0: float 5 6 7 8
// in 0: uchar 50 60 70 80
// in 0: half 2 4
// out 1: float 4 8 12 100 0 40 48 56 260 6
kernel void in_structs(device const Particle* particles [[buffer(0)]],
                       device float* out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  const Particle p = particles[i];
  out += 5 * i;
  const float3 weighted = p.at * p.mass;
  out[0] = weighted.x;
  out[1] = weighted.y;
  out[2] = weighted.z;
  const uchar4 c = p.color;
  out[3] = float(c.r) + c.g + c.b + c.a;
  out[4] = p.spin.x + p.spin.y;
}
