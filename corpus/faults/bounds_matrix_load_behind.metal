// A matrix is loaded from rows that the buffer does not have.
// missed by lint: where the number of bytes in a buffer or of threads in the grid matters, only the host knows it
// grid: 32
// threadgroup: 32
// in 0: float 1..60
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y) {
  simdgroup_float8x8 m = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
  simdgroup_load(m, x, 8);  // check: out_of_bounds
  simdgroup_store(m, y, 8);
}
kernel void fixed(device const float* x, device float* y) {
  simdgroup_float8x8 m = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
  simdgroup_load(m, x, 7);
  simdgroup_store(m, y, 8);
}
