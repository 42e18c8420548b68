// Row and column change places in the index of a field that is not square.
// grid: 32 8
// threadgroup: 32 2
// in 0: float 0..255
// in 1: uint 32
// in 2: uint 8
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& columns, constant uint& rows,
                   uint2 q [[thread_position_in_grid]]) {
  if (q.x >= columns || q.y >= rows) return;
  x[q.x * columns + q.y] *= 2;  // lint: hazard.past_the_end; check: out_of_bounds
}
kernel void fixed(device float* x, constant uint& columns, constant uint& rows,
                  uint2 q [[thread_position_in_grid]]) {
  if (q.x >= columns || q.y >= rows) return;
  x[q.y * columns + q.x] *= 2;
}
