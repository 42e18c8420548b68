#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  x[t] += as_type<uint>(x[t]) << 32;  // expect: [hazard.undefined_arithmetic]
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  x[t] += as_type<uint>(x[t]) << 31;
}
