// Threadgroup memory whose size the host declares, twice in one kernel, and beside an own array.
#include <metal_stdlib>
using namespace metal;

// kernel: reverse
// grid: 8
// threadgroup: 4
// shared 0: 16
// shared 1: 32
// in 0: uint 1..8
// out 1: uint 1404 1303 1202 1101 1808 1707 1606 1505
kernel void reverse(device const uint* in [[buffer(0)]], device uint* out [[buffer(1)]],
                    threadgroup uint* first [[threadgroup(0)]],
                    threadgroup ulong* second [[threadgroup(1)]],
                    uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint own[4];
  first[t] = in[i];
  second[t] = in[i] * 100;
  own[t] = 1000;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = first[3 - t] + uint(second[3 - t]) + own[3 - t];
}
