// A sum of floats is stored as a half, which ends at 65504.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 64
// in 0: float 64*70000
// in 1: half 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device half* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = half(x[t]);  // check: not_finite
}
kernel void fixed(device const float* x, device half* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = half(min(x[t], 65504.0f));
}
