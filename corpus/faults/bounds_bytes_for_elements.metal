// A count in bytes is taken for a count of elements.
// missed by lint: where the number of bytes in a buffer or of threads in the grid matters, only the host knows it
// grid: 1
// threadgroup: 1
// in 0: float 1..64
// in 1: float 0
// in 2: uint 256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& bytes,
                   uint t [[thread_index_in_threadgroup]]) {
  float sum = float(t);
  for (uint k = 0; k < bytes; ++k) sum += x[k];  // check: out_of_bounds
  y[0] = sum;
}
kernel void fixed(device const float* x, device float* y, constant uint& bytes,
                  uint t [[thread_index_in_threadgroup]]) {
  float sum = float(t);
  for (uint k = 0; k < bytes / 4; ++k) sum += x[k];
  y[0] = sum;
}
