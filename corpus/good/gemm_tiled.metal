// C = A B for row-major matrices of any size. A square threadgroup computes a square of C and keeps
// the squares of A and B that it is at in threadgroup memory.
#include <metal_stdlib>
using namespace metal;

constant uint most_side = 16;

struct Shape {
  uint rows;     // of A and C
  uint columns;  // of B and C
  uint inner;    // columns of A, rows of B
};

// The host dispatches threadgroups of side by side threads, side up to 16.
[[max_total_threads_per_threadgroup(256)]]
kernel void gemm_tiled(device const float* a [[buffer(0)]],
                       device const float* b [[buffer(1)]],
                       device float* c [[buffer(2)]],
                       constant Shape& shape [[buffer(3)]],
                       uint2 at [[thread_position_in_grid]],
                       uint2 t [[thread_position_in_threadgroup]],
                       uint2 size [[threads_per_threadgroup]]) {
  // One more column than needed keeps the elements of a column in different banks.
  threadgroup float a_tile[most_side][most_side + 1];
  threadgroup float b_tile[most_side][most_side + 1];

  const uint side = size.x;
  float sum = 0.0f;
  for (uint base = 0; base < shape.inner; base += side) {
    // Beyond the edges the tiles hold zeros, which add nothing.
    const uint from_a = base + t.x;
    const uint from_b = base + t.y;
    a_tile[t.y][t.x] =
        at.y < shape.rows && from_a < shape.inner ? a[at.y * shape.inner + from_a] : 0.0f;
    b_tile[t.y][t.x] =
        from_b < shape.inner && at.x < shape.columns ? b[from_b * shape.columns + at.x] : 0.0f;
    threadgroup_barrier(mem_flags::mem_threadgroup);

    for (uint k = 0; k < side; ++k) sum = fma(a_tile[t.y][k], b_tile[k][t.x], sum);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (at.y < shape.rows && at.x < shape.columns) c[at.y * shape.columns + at.x] = sum;
}
