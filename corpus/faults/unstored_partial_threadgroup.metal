// A threadgroup that the length does not fill returns as a whole.
// missed by lint: the values of the host and of buffers are not known
// grid: 256
// threadgroup: 64
// in 0: float 1..200
// out 1: float 200*0
// in 2: uint 200
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& n, uint group [[threadgroup_position_in_grid]],
                   uint t [[thread_index_in_threadgroup]], uint size [[threads_per_threadgroup]]) {
  if ((group + 1) * size > n) return;
  y[group * size + t] = sin(x[group * size + t]);  // check: unstored
}
kernel void fixed(device const float* x, device float* y, constant uint& n, uint group [[threadgroup_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]], uint size [[threads_per_threadgroup]]) {
  if (group * size + t < n) y[group * size + t] = sin(x[group * size + t]);
}
