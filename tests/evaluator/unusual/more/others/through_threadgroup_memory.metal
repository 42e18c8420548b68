// task: saxpy
//
// Threads exchange their elements through threadgroup memory, last one first.
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]],
                  uint threads [[threads_per_threadgroup]]) {
  threadgroup float held[1024];
  held[t] = i < N ? a * x[i] : 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const uint other = threads - 1 - t;
  const uint at = i - t + other;
  if (at < N) y[at] += held[other];
}
