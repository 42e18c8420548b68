// Packed vectors lie without gaps and otherwise behave like vectors.
#include <metal_stdlib>
using namespace metal;

static_assert(sizeof(packed_float3) == 12 && alignof(packed_float3) == 4, "");
static_assert(sizeof(packed_half3) == 6 && sizeof(packed_uchar4) == 4, "");

struct Vertex {
  packed_float3 position;
  float weight;
  packed_half2 uv;
  packed_uchar4 color;
};
static_assert(sizeof(Vertex) == 24, "");

kernel void packed(device Vertex* vertices [[buffer(0)]], constant packed_float3& offset [[buffer(1)]],
                   device packed_float3* plain [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  device Vertex& v = vertices[i];
  float3 p = v.position;
  v.position = p * 2 + offset;
  v.position += p;
  v.position.x = 1;
  v.position[1] = p[2];
  v.position.yz = p.xy;
  v.uv = packed_half2(1, 2);
  v.uv = half2(float2(v.position.xy));
  v.color = uchar4(uint4(255 * v.position.x));
  plain[i] = packed_float3(v.position.xy, v.weight) - v.position / 2.0f;
  const packed_float3 copy = plain[i + 1];
  plain[i] = packed_float3(dot(copy, copy), length(float3(copy)), max(copy, 0.0f).z);
  const packed_float3 list = {1, 2, 3};
  plain[i] *= list;
  if (any(float3(list) == float3(0)) || any(list < copy)) plain[i] = -list;
  const float4 wide = float4(copy, 1);
  plain[i].z = wide.w;
}
