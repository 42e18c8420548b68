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
