// The last vector of four lies half behind a buffer of 62 floats.
// missed by lint: where the number of bytes in a buffer or of threads in the grid matters, only the host knows it
// grid: 16
// threadgroup: 16
// in 0: float 1..62
// in 1: float 16*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float4* rows, device float* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = rows[t].w;  // check: out_of_bounds
}
kernel void fixed(device const float4* rows, device float* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = t < 15 ? rows[t].w : 0.0f;
}
