// Functions of Core Image's kernels: colour, warp, general, and groups of four results.
#include <CoreImage/CoreImage.h>
using namespace metal;

static float luma(float3 c) { return dot(c, float3(0.2126, 0.7152, 0.0722)); }

extern "C" float4 stripes(coreimage::sample_t s, float time, coreimage::destination dest) {
  const float2 at = dest.coord();
  return luma(s.rgb) > 1 && fract((at.x + at.y) / 20.0 + time) > 0.5 ? float4(1) : s;
}

extern "C" {
namespace coreimage {

float4 swapped(sample_t s) { return s.grba; }

half4 halved(sample_h s) { return premultiply(unpremultiply(s) * 0.5h); }

float2 turned(float angle, destination dest) {
  const float2 turn = cossin(angle) + sincos_(angle) * cos_(angle);
  return float2(dot(dest.coord(), turn), compare(turn.x, 1.0f, 2.0f));
}

float4 blurred(sampler src, float radius) {
  float4 sum = src.sample(src.coord());
  for (int i = -2; i <= 2; ++i) sum += src.sample(src.coord() + src.transform(float2(i * radius, 0)));
  const float4 extent = src.extent();
  float cosine;
  const float sine = sincos(radius, cosine);
  sum.rgb = linear_to_srgb(srgb_to_linear(sum.rgb)) + mix(src.origin(), src.size(), sine * cosine).xyx;
  return sum + src.gatherX(extent.xy) + src.gatherW(extent.zw);
}

half4 thinned(sampler_h src, float2 step) { return src.sample(src.coord() + step); }

void grouped(sampler src, group::destination dest) {
  const float2 at = src.transform(dest.coord());
  dest.write(src.sample(at), src.sample(at + float2(1, 0)), src.sample(at + float2(0, 1)), src.sample(at + 1));
}

}  // namespace coreimage
}

[[stitchable]] float4 coverage(float2 centre, float radius, coreimage::destination dest) {
  return float4(1 - smoothstep(radius - 1, radius, distance(dest.coord(), centre)));
}
