// Only the columns are tested, and the grid has rows beyond the end.
// missed by lint: where the number of bytes in a buffer or of threads in the grid matters, only the host knows it
// grid: 16 16
// threadgroup: 16 4
// in 0: float 160*1
// in 1: uint 16
// in 2: uint 10
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& columns, constant uint& rows,
                   uint2 q [[thread_position_in_grid]]) {
  if (q.x >= columns) return;
  x[q.y * columns + q.x] *= float(rows);  // check: out_of_bounds
}
kernel void fixed(device float* x, constant uint& columns, constant uint& rows,
                  uint2 q [[thread_position_in_grid]]) {
  if (q.x >= columns || q.y >= rows) return;
  x[q.y * columns + q.x] *= float(rows);
}
