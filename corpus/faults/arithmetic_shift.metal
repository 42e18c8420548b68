// grid: 256
// threadgroup: 256
// in 0: float 1..1024
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  x[t] += as_type<uint>(x[t]) << 32;  // lint: hazard.undefined_arithmetic; check: shift_out_of_range
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  x[t] += as_type<uint>(x[t]) << 31;
}
