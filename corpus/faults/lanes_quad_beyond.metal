// A lane of a quadgroup is chosen that does not exist.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  x[t] += quad_broadcast(x[t], 4);  // lint: hazard.simd_lane; check: inactive_lane
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  x[t] += quad_broadcast(x[t], 3);
}
