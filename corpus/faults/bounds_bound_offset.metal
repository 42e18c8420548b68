// The host binds the buffer at an offset, and the kernel reads the element before it.
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = x[int(t) - 2];  // lint: hazard.out_of_bounds; check: out_of_bounds
}
kernel void fixed(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = t > 1 ? x[t - 2] : 0.0f;
}
