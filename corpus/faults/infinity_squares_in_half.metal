// The squares of a row are summed in half.
// missed by lint: the values of the host and of buffers are not known
// grid: 1
// threadgroup: 1
// in 0: half 64*40
// in 1: half 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const half* x, device half* norm) {
  half sum = 0;
  for (uint k = 0; k < 64; ++k) sum += x[k] * x[k];  // check: not_finite
  norm[0] = sqrt(sum);
}
kernel void fixed(device const half* x, device half* norm) {
  float sum = 0;
  for (uint k = 0; k < 64; ++k) sum += float(x[k]) * float(x[k]);
  norm[0] = half(sqrt(sum));
}
