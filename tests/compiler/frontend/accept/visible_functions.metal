// language: metal2.4
// Functions that the host puts into a table are called through it.
#include <metal_stdlib>
using namespace metal;

[[visible]] float twice(float x) { return 2.0f * x; }
[[visible]] void clear(device float* x, uint i) { x[i] = 0.0f; }

using Shade = float(float);

kernel void apply(visible_function_table<Shade> shades [[buffer(0)]], device float* x [[buffer(1)]],
                  visible_function_table<void(device float*, uint)> actions [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  if (is_null_visible_function_table(shades) || shades.empty()) return;
  x[i] = shades[i % shades.size()](x[i]);
  const auto shade = shades[0];
  x[i] += shade(int(i));
  if (i < actions.size()) actions[i](x, i);
}

// Types of functions over vectors look like calls.
using Mix = float3(float3, float3 b, device float*);
typedef float4 Wrap(const device float4&);
kernel void blend(visible_function_table<Mix> mixes [[buffer(0)]],
                  visible_function_table<float3(float3, float3, device float*)> more [[buffer(1)]],
                  visible_function_table<float4(uint, constant half&)> others [[buffer(2)]],
                  device float* out [[buffer(3)]], constant half& k [[buffer(4)]],
                  uint i [[thread_position_in_grid]]) {
  const auto v = mixes[i](float3(1), float3(2, 3, 4), out) + more[0](1.0, 2.0, out);
  out[i] = v.x + others[1](i, k).w + float3(float2(v.y), v.z).x;
}
