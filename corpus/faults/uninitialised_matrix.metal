// An accumulator matrix of a simdgroup is never cleared.
// missed by lint: the elements of arrays, records and vectors are not followed one by one
// grid: 32
// threadgroup: 32
// in 0: float 1..64
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y) {
  simdgroup_float8x8 a, sum;
  simdgroup_load(a, x, 8);
  simdgroup_multiply_accumulate(sum, a, a, sum);  // check: uninitialised
  simdgroup_store(sum, y, 8);
}
kernel void fixed(device const float* x, device float* y) {
  simdgroup_float8x8 a, sum;
  simdgroup_load(a, x, 8);
  sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  simdgroup_multiply_accumulate(sum, a, a, sum);
  simdgroup_store(sum, y, 8);
}
