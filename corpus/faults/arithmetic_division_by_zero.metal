// grid: 256
// threadgroup: 256
// in 0: float 1..1024
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  x[t] += t / 0u;  // lint: hazard.undefined_arithmetic; check: division_by_zero
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) { x[t] += t / 2u; }
