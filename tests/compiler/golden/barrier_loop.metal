#include <metal_stdlib>
using namespace metal;

// A loop's own condition makes no kernel resumable, whatever LLVM makes of what follows the loop.
kernel void largest(device const uint* in [[buffer(0)]], device uint* out [[buffer(1)]],
                    constant uint& n [[buffer(2)]], uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint tile[256];
  tile[t] = in[t];
  for (uint distance = 1; distance < n; distance *= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t % (2 * distance) == 0) tile[t] = max(tile[t], tile[t + distance]);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = tile[0];
}
