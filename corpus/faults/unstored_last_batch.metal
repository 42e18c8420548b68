// A batch is the third dimension of the grid, and the loop over it is one round short.
// missed by lint: the values of the host and of buffers are not known
// grid: 8 2
// threadgroup: 8 2
// in 0: float 64*1
// out 1: float 64*0
// in 2: uint 4
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& batches,
                   uint2 at [[thread_position_in_grid]]) {
  for (uint batch = 0; batch < batches - 1; ++batch) {
    const uint i = 16 * batch + 8 * at.y + at.x;
    y[i] = x[i] + float(batch);  // check: unstored
  }
}
kernel void fixed(device const float* x, device float* y, constant uint& batches,
                  uint2 at [[thread_position_in_grid]]) {
  for (uint batch = 0; batch < batches; ++batch) {
    const uint i = 16 * batch + 8 * at.y + at.x;
    y[i] = x[i] + float(batch);
  }
}
