// A count becomes a half before it is divided, and is infinite by then.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: uint 100000 200000 300000 400000
// in 1: half 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* n, device half* share, uint t [[thread_index_in_threadgroup]]) {
  share[t] = half(n[t]) / half(1000);  // check: not_finite
}
kernel void fixed(device const uint* n, device half* share, uint t [[thread_index_in_threadgroup]]) {
  share[t] = half(float(n[t]) / 1000);
}
