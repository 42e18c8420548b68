// Stitchable functions of SwiftUI.
#include <SwiftUI/SwiftUI_Metal.h>
#include <metal_stdlib>
using namespace metal;
[[stitchable]] half4 inverted(float2 position, half4 colour) { return half4(1 - colour.rgb, colour.a); }
[[stitchable]] float2 waved(float2 position, float time) { return position + float2(sin(time + position.y / 20), 0); }
[[stitchable]] half4 blurred(float2 position, SwiftUI::Layer layer, float radius) {
  half4 sum = 0;
  for (int i = -2; i <= 2; ++i) sum += layer.sample(position + float2(i, 0) * radius);
  return sum / 5;
}
static half luma(SwiftUI::Layer layer, float2 at) { return dot(layer.sample(at).rgb, half3(0.3h, 0.6h, 0.1h)); }
[[ stitchable ]] half4 grey(float2 position, SwiftUI::Layer layer) { return half4(half3(luma(layer, position)), 1); }
namespace effects { [[stitchable]] half4 table(float2 position, half4 colour, device const float* values, int count) { return colour * half(values[int(position.x) % count]); } }
