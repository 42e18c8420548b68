// Attributes where none may stand.
#include <metal_stdlib>
using namespace metal;

kernel void behind(device float* out [[buffer(0)]])
    [[max_total_threads_per_threadgroup(64)]] {  // expect: 'max_total_threads_per_threadgroup' attribute cannot be applied to types
  out[0] = 1;
}
kernel
[[max_total_threads_per_threadgroup(64)]]  // expect: an attribute list cannot appear here
void between(device float* out [[buffer(0)]]) {
  out[0] = 1;
}
