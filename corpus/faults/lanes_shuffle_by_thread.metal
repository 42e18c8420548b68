// The thread's number in the threadgroup is taken for a lane.
// missed by lint: the lane is a computed number
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  x[t] = simd_shuffle(x[t], ushort(t ^ 32));  // check: inactive_lane
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  x[t] = simd_shuffle(x[t], ushort((t ^ 1) & 31));
}
