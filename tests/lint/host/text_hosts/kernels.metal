#include <metal_stdlib>
using namespace metal;

struct Params {
  float3 centre;
  float radius;
  uint count;
};

struct Packed {
  packed_float3 centre;
  uint count;
};

kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& n [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i < n) y[i] += a * x[i];
}

kernel void clip(device float4* points [[buffer(0)]], constant Params& p [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  if (i < p.count && distance(points[i].xyz, p.centre) > p.radius) points[i] = 0.0f;
}

kernel void shift(device float4* points [[buffer(0)]], constant Packed& p [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  if (i < p.count) points[i].xyz += float3(p.centre);
}

[[max_total_threads_per_threadgroup(256)]]
kernel void fill(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1.0f; }

vertex float4 quad_vertex(uint i [[vertex_id]]) { return float4(i & 1, i >> 1, 0, 1); }

fragment half4 quad_fragment() { return half4(1); }
