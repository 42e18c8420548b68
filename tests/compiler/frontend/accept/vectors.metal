// Vectors are built, converted, cast, swizzled and indexed.
#include <metal_stdlib>
using namespace metal;

static_assert(sizeof(float3) == 16 && alignof(float3) == 16 && sizeof(half3) == 8, "");
static_assert(sizeof(char2) == 2 && sizeof(bool4) == 4 && sizeof(ulong4) == 32, "");
static_assert(is_same_v<float4, vec<float, 4>>, "");
static_assert(float4(1, 2, 3, 4).z == 3, "");
static_assert(float4(float2(1, 2), 3, 4).y == 2 && float4(1, float2(2, 3), 4).y == 2, "");
static_assert(float4(1, 2, float2(3, 4)).w == 4 && float4(1, float3(2, 3, 4)).y == 2, "");
static_assert(float4(float3(1, 2, 3), 4).w == 4 && float4(float2(1, 2), float2(3, 4)).z == 3, "");
static_assert(float3(float2(1, 2), 3).z == 3 && float3(1, float2(2, 3)).z == 3, "");
static_assert(float4(7).w == 7 && float4().x == 0 && int3(float3(1.9f)).y == 1, "");
static_assert(uint2(int2(-1)).x == 0xffffffffu && half2(float2(0.5f)).y == 0.5h, "");
static_assert(vec<int, 2>(3, 4).y == 4 && vec<float, 4>(float3(1), 2).w == 2, "");
static_assert(float4(bool4(true, false, true, false)).z == 1, "");
static_assert(float4(bool4(true, false, true, false)).y == 0, "");
static_assert(((int2)float2(1.5f, 2.5f)).y == 2 && ((float2)3).x == 3, "");
static_assert(static_cast<int4>(float4(9)).x == 9, "");
static_assert(float4{float2(1), 2, 3}.w == 3 && float2{1, 2}.y == 2, "");
static_assert((-(int2)float2(1.5f)).x == -1, "");

constant float4 black(0, 0, 0, 1);
constant float2 corners[] = {float2(0, 0), float2(1, 0), {0, 1}};
constant constexpr float3 up = float3(0, 1, 0);

template <typename T>
T twice(T v) {
  return v * T(2) + (T)0;
}
template <typename T, int N>
T sum(vec<T, N> v) {
  T total = 0;
  for (int i = 0; i < N; ++i) total += v[i];
  return total;
}
template <typename T, uint N>
vec<T, N> reversed(vec<T, N> v) {
  vec<T, N> r(0);
  for (uint i = 0; i < N; ++i) r[i] = v[N - 1 - i];
  return r;
}
using color = float4;
typedef uint3 cell;

struct Ray {
  float3 origin;
  float4 tint;
  Ray(float x, float2 yz) : origin(x, yz), tint(1, 1, 1, 0.5f) {}
};

kernel void vectors(device float4* out [[buffer(0)]], device const half4* in [[buffer(1)]],
                    constant float3& c [[buffer(2)]], uint3 at [[thread_position_in_grid]]) {
  float4 v(1, 2, 3, 4);
  const float4 w = float4(in[at.x]) + (float4)in[at.y];
  v.xyz = w.zyx;
  v.rg += 2.0;
  v[at.x & 3] = 1;
  v = v * 2 + 1.0f - w / 3;
  v = twice(v) + twice(2.0f) + color(1, 0, 0, 1) + black + float4(up, 0);
  const cell k = cell(at.xy, 1) + cell(1);
  v.w = sum(v) + sum(k) + sum(reversed(w)) + corners[at.x % 3].x + c.y;
  int4 i = int4(v);
  i = i << 2 | i & int4(7) ^ ~i;
  const float4 list = {v.x, 1, 2, 3};
  const Ray ray(1, float2(2, 3));
  device float4& target = out[at.x];
  target = select(v, list, i > 3) + float4(i) + ray.tint + float4(ray.origin, as_type<float>(i.x));
  out[at.x + 1].xy = float2(2.0h, as_type<half2>(at.x).y);
}
