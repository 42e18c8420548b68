// A matrix is stored with a pitch that leads beyond the buffer.
// missed by lint: where the number of bytes in a buffer or of threads in the grid matters, only the host knows it
// grid: 32
// threadgroup: 32
// in 0: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x) {
  simdgroup_float8x8 m = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
  simdgroup_store(m, x, 16);  // check: out_of_bounds
}
kernel void fixed(device float* x) {
  simdgroup_float8x8 m = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
  simdgroup_store(m, x, 8);
}
