// A simdgroup stores a row, and rows have more columns than lanes.
// missed by lint: the values of the host and of buffers are not known
// grid: 128
// threadgroup: 32
// in 0: float 1..160
// out 1: float 160*0
// in 2: uint 40
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& columns,
                   uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_threadgroup]]) {
  if (lane < columns) y[row * columns + lane] = x[row * columns + lane] + 1;  // check: unstored
}
kernel void fixed(device const float* x, device float* y, constant uint& columns,
                  uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_threadgroup]]) {
  for (uint k = lane; k < columns; k += 32) y[row * columns + k] = x[row * columns + k] + 1;
}
