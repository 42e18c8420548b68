// Scalars become coordinates and offsets; vectors are multiplied by matrices in place.
#include <metal_stdlib>
using namespace metal;
constexpr sampler exact(coord::pixel, filter::nearest);
kernel void textures(texture2d<float> a [[texture(0)]], texture2d_array<float> b [[texture(1)]], texture1d<float> c [[texture(2)]],
                     texture2d<float, access::write> out [[texture(3)]], uint3 at [[thread_position_in_grid]]) {
  float4 sum = a.sample(exact, float2(at.xy), 0);
  sum += b.sample(exact, float2(at.xy), at.z);
  sum += c.sample(exact, at.x);
  sum += a.sample(exact, 0.5f, level(0));
  sum += a.sample(exact, float2(at.xy), level(0), 1);
  sum += b.sample(exact, at.x, at.z, level(0), int2(-1));
  sum += a.gather(exact, 0.5f, 1);
  out.write(sum, at.xy);
}
kernel void products(device float4* a, device float2* b, device half3* c, constant float4x4& m, constant float2x2& n, constant half3x3& o, uint i [[thread_position_in_grid]]) {
  a[i] *= m;
  b[i] *= n;
  c[i] *= o;
  float4 row = a[i];
  row *= transpose(m);
  thread float4& same = row;
  same *= m;
  a[i] = row;
}
