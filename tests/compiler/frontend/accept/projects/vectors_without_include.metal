// Vectors are known without an include and without a `using`.
struct Box { float4 least, most; uint2 cells; };
typedef ulong2 span_t;
using Colour = half4;
constant int3 steps[2] = {int3(1, 0, 0), int3(0, 1, 0)};
static float3 centre(thread const Box& box) { return (box.least.xyz + box.most.xyz) * 0.5f; }
template <typename V> V doubled(V value) { return value + value; }
kernel void places(device Box* boxes [[buffer(0)]], device float3* centres [[buffer(1)]], uint3 at [[thread_position_in_grid]]) {
  Box box = boxes[at.x];
  centres[at.x] = doubled(centre(box)) + float3(steps[at.x & 1]);
}
kernel void spans(device span_t* of [[buffer(0)]], uint2 at [[thread_position_in_grid]]) { of[at.x] = span_t(at.x, at.y); }
kernel void tints(device Colour* of [[buffer(0)]], constant uchar4& by [[buffer(1)]], uint i [[thread_position_in_grid]]) { of[i] *= Colour(half(by.x)); }
kernel void brains(device bfloat4* of [[buffer(0)]], uint i [[thread_position_in_grid]]) { of[i] = bfloat4(1.0bf); }
kernel void packed(device packed_float3* of [[buffer(0)]], device short4& by [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  of[i] = float3(of[i]) * float3(by.xyz);
}
