#include <metal_stdlib>
using namespace metal;

kernel void reverse(device uint* data [[buffer(0)]], threadgroup uint* extra [[threadgroup(0)]],
                    uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]],
                    uint n [[threads_per_threadgroup]]) {
  threadgroup uint tile[64];
  tile[t] = data[i];
  extra[t] = t;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  data[i] = tile[n - 1 - t] + extra[n - 1 - t];
}
