#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  x[t] += t / 0u;  // expect: [hazard.undefined_arithmetic]
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  x[t] += t / 2u;
}
