// A graph of filters that is put together while the program runs: a table holds the operations, a
// list says which follow each other, and a mask chooses the last one for each texel.
#include <metal_stdlib>
using namespace metal;

[[stitchable]] float4 exposed(float4 colour, float stops) {
  return float4(colour.rgb * exp2(stops), colour.a);
}
[[stitchable]] float4 contrasted(float4 colour, float amount) {
  return float4((colour.rgb - 0.5f) * amount + 0.5f, colour.a);
}
[[stitchable]] float4 saturated(float4 colour, float amount) {
  const float grey = dot(colour.rgb, float3(0.25f, 0.625f, 0.125f));
  return float4(mix(float3(grey), colour.rgb, amount), colour.a);
}
[[stitchable]] float4 inverted(float4 colour, float amount) {
  return float4(mix(colour.rgb, 1.0f - colour.rgb, amount), colour.a);
}

typedef visible_function_table<float4(float4, float)> Operations;

struct Step {
  uint operation;
  float amount;
};

// One pass of the graph: some steps, one behind the other.
kernel void apply(texture2d<float, access::read> from [[texture(0)]],
                  texture2d<float, access::write> to [[texture(1)]],
                  Operations operations [[buffer(0)]],
                  constant Step* steps [[buffer(1)]],
                  constant uint& count [[buffer(2)]],
                  uint2 at [[thread_position_in_grid]]) {
  if (at.x >= to.get_width() || at.y >= to.get_height()) return;
  float4 colour = from.read(at);
  for (uint i = 0; i < count; ++i)
    colour = operations[steps[i].operation](colour, steps[i].amount);
  to.write(colour, at);
}

// The mask has the number of an operation, or of none.
kernel void apply_masked(texture2d<float, access::read> from [[texture(0)]],
                         texture2d<uint, access::read> mask [[texture(1)]],
                         texture2d<float, access::write> to [[texture(2)]],
                         Operations operations [[buffer(0)]],
                         constant float& amount [[buffer(1)]],
                         uint2 at [[thread_position_in_grid]]) {
  if (at.x >= to.get_width() || at.y >= to.get_height()) return;
  float4 colour = from.read(at);
  const uint chosen = mask.read(at).r;
  if (chosen < operations.size()) colour = operations[chosen](colour, amount);
  to.write(colour, at);
}
