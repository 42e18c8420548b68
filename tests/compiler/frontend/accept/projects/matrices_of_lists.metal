// Matrices from lists of columns that are lists.
#include <metal_stdlib>
using namespace metal;
constant float3x3 to_linear = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constant half2x2 turn[2] = {{{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}};
struct Camera { float4x4 view = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}; float2x3 jitter; };
float4x2 columns(float x) { return {{x, 0}, {0, x}, {x, x}, float2(1)}; }
float trace(float2x2 m) { return m[0][0] + m[1][1]; }
template <typename T> matrix<T, 2, 2> rotation(T a) { return {{cos(a), sin(a)}, {-sin(a), cos(a)}}; }
kernel void all(device float3* p, uint i [[thread_position_in_grid]]) {
  const float3x3 m = {{0.6f, 0.3f, 0.1f}, {0.1f, 0.9f, 0.0f}, {0.0f, 0.1f, 0.9f}};
  Camera camera{.jitter = {{1, 2, 3}, {4, 5, 6}}};
  float2x2 n{{1, 2}, {3, 4}};
  n = {{2, 0}, {0, 2}};
  p[i] = to_linear * m * p[i] + camera.jitter * float2(trace(n), trace({{1, 0}, {0, 1}})) + (camera.view * float4(p[i], 1)).xyz;
  p[i].xy += columns(p[i].x) * float4(1) + rotation(p[i].y) * p[i].xy + float2(turn[i & 1] * half2(1));
}
