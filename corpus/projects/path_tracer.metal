// In the manner of renderers that are one source for several languages: address spaces and attributes in macros, members of
// records without names, functions that are defined elsewhere, and the source's own comparison.
#include <metal_stdlib>
using namespace metal;

#define on_device __attribute__((always_inline))
#define in_memory device
#define in_constants constant

bool isequal(const float3 a, const float3 b) { return all(a == b); }

template <typename T>
struct Range {
  T low, high;
  bool holds(T x) const { return x >= low && x <= high; }
};
template <typename T>
on_device bool is_hit(T distance, Range<T> range) { return range.holds(distance); }

struct Sky {
  float bias;
  struct {
    float strength;
    float3 tint;
    float value() const constant { return strength * tint.x; }
    float scaled(float by) constant { return strength * by; }
  } sun;
  float of(float3 direction) const constant;
};
float Sky::of(float3 direction) const constant {
  return sun.value() + sun.scaled(bias) * max(direction.y, 0.0f);
}

struct Scene {
  in_memory float* film;
  in_constants float4* spheres;
  uint count;
  on_device in_memory float* pixel(uint i) const { return film + i; }
  __attribute__((noinline)) in_constants float4* sphere(uint i) const { return spheres + i; }

  float nearest(float3 from, float3 direction) const {
    float best = INFINITY;
    for (uint i = 0; i < count; ++i) {
      const float4 s = *sphere(i);
      const float3 to = s.xyz - from;
      if (isequal(to, float3(0))) continue;
      const float along = dot(to, direction);
      const float inside = s.w * s.w - dot(to, to) + along * along;
      if (is_hit(inside, {0.0f, 1e30f}) && is_hit(along, {1e-3f, best})) best = along;
    }
    return best;
  }
};

kernel void trace(device float* film [[buffer(0)]], constant float4* spheres [[buffer(1)]],
                  constant Sky& sky [[buffer(2)]], constant uint2& sizes [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= sizes.x) return;
  const Scene scene{film, spheres, sizes.y};
  const float3 direction = normalize(float3(float(i) / sizes.x - 0.5f, 0.2f, 1));
  const float depth = scene.nearest(float3(0), direction);
  *scene.pixel(i) = isinf(depth) ? sky.of(direction) : 1 / depth;
}
