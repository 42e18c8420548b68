#include <metal_stdlib>
using namespace metal;

kernel void one [[max_total_threads_per_threadgroup(64)]](device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] += 1.0f;
}

[[max_total_threads_per_threadgroup(64)]]
kernel void two(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] += 2.0f;
}

kernel void three [[max_total_threads_per_threadgroup(32)]] (device float* x [[buffer(0)]],
                                                             uint i [[thread_position_in_grid]]) {
  x[i] += 3.0f;
}
