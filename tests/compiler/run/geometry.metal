// Geometric functions: lengths, distances, products, reflection, refraction (none beyond the angle
// of total reflection).
#include <metal_stdlib>
using namespace metal;

// kernel: geometry
// grid: 4
// threadgroup: 4
// in 0: float 1 2 3 0 0.5 -1 2 0 3 0 -4 0 -2 1 0.25 0
// in 1: float 4 5 6 0 1 1 1 0 0 1 0 0 0.5 -0.5 2 0
// in 2: float 0 0 1 0 0 1 0 0 0.6 0.8 0 0 1 0 0 0
// out 3 within 1e-6: float 5.19615242 27 3.74165739 14 2.29128785 5.25 2.29128785 5.25 5.09901951
// out 3 within 1e-6: float 26 5 25 3.40036763 11.5625 2.25 5.0625
// out 4 within 2e-6: float -3 6 -3 0.267261242 0.534522484 0.801783726 -0 -0 -1 0.267261242
// out 4 within 2e-6: float 0.534522484 -0.801783726 0.213808994 0.427617987 -0.878310066
// out 4 within 2e-6: float 0.400891863 0.801783726 -0.44320263 -3 1.5 1.5 0.21821789 -0.43643578
// out 4 within 2e-6: float 0.872871561 -0 -1 -0 0.21821789 0.43643578 0.872871561 0.174574312
// out 4 within 2e-6: float -0.694193605 0.698297249 0 0 0 4 -0 3 0.6 0 -0.8 -0.6 -0.8 -0 0.168
// out 4 within 2e-6: float -0.576 -0.8 -0.0921242292 -0.762832306 -0.64 0 0 0 2.125 4.125 0.5
// out 4 within 2e-6: float -0.888888889 0.444444444 0.111111111 1 0 0 0.888888889 0.444444444
// out 4 within 2e-6: float 0.111111111 -0.93041873 0.355555556 0.0888888889 -0.726483157
// out 4 within 2e-6: float 0.666666667 0.166666667
kernel void geometry(device const float3* a [[buffer(0)]], device const float3* b [[buffer(1)]],
                     device const float3* n [[buffer(2)]], device float4* scalars [[buffer(3)]],
                     device packed_float3* vectors [[buffer(4)]],
                     uint i [[thread_position_in_grid]]) {
  const float3 x = a[i], y = b[i], m = n[i], u = normalize(x);
  scalars[i] = float4(distance(x, y), distance_squared(x, y), length(x), length_squared(x));
  vectors += 6 * i;
  vectors[0] = cross(x, y);
  vectors[1] = u;
  vectors[2] = faceforward(m, x, y);
  vectors[3] = reflect(u, m);
  vectors[4] = refract(u, m, 0.8f);
  vectors[5] = refract(u, m, 1.5f);
}
