// An array behind a reference takes one index; the arguments of indirect commands are built in.
#include <metal_stdlib>
using namespace metal;
kernel void strides(constant array<ulong2, 3>& a [[buffer(3)]], device ulong* out [[buffer(4)]], uint i [[thread_position_in_grid]]) { out[i] = a[i % 3].x; }
kernel void pairs(constant array<array<float, 2>, 5>& a [[buffer(0)]], device float* out [[buffer(1)]], uint i [[thread_position_in_grid]]) { out[i] = a[i % 5][1]; }
kernel void fills(device array<uint, 4>& a [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) { if (i < 4) a[i] = n; }
kernel void bends(constant array<float4x4, 2>& a [[buffer(29)]], device float4* out [[buffer(30)]], uint i [[thread_position_in_grid]]) { out[i] = a[i & 1] * out[i]; }
struct Pose { array<half3, 7> bones; };
kernel void poses(device const array<Pose, 3>& a [[buffer(1)]], constant array<uint, 8>& b [[buffer(2)]], device half3* out [[buffer(3)]], uint i [[thread_position_in_grid]]) { out[i] = a[i % 3].bones[b[i & 7] % 7]; }
uint threads_of(constant MTLDispatchThreadgroupsIndirectArguments* a) { return a->threadgroupsPerGrid[0] * a->threadgroupsPerGrid[1]; }
kernel void counts(constant MTLDispatchThreadgroupsIndirectArguments* a [[buffer(0)]], device MTLDrawPrimitivesIndirectArguments& b [[buffer(1)]]) { b.instanceCount = threads_of(a); }
kernel void draws(device MTLDrawPrimitivesIndirectArguments* a [[buffer(0)]], device MTLDrawIndexedPrimitivesIndirectArguments* b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  a[i].vertexCount = 3;
  b[i].baseVertex = -1;
}
kernel void groups(device MTLDispatchThreadgroupsIndirectArguments& a [[buffer(0)]], device MTLDrawPatchIndirectArguments& b [[buffer(1)]]) {
  a.threadgroupsPerGrid[2] = b.patchCount = 1;
}
