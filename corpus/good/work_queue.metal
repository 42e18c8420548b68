// Uneven work: threadgroups fetch rows of a triangular matrix from a counter until none is left, and
// each adds up one row times a vector.
#include <metal_stdlib>
using namespace metal;

kernel void triangular_product(device const float* matrix [[buffer(0)]],
                               device const float* vector [[buffer(1)]],
                               device float* result [[buffer(2)]],
                               device atomic_uint& next [[buffer(3)]],
                               constant uint& n [[buffer(4)]],
                               uint t [[thread_index_in_threadgroup]],
                               uint lane [[thread_index_in_simdgroup]],
                               uint simdgroup [[simdgroup_index_in_threadgroup]],
                               uint simdgroups [[simdgroups_per_threadgroup]],
                               uint threads [[threads_per_threadgroup]]) {
  threadgroup uint row;
  threadgroup float sums[32];
  for (;;) {
    if (t == 0) row = atomic_fetch_add_explicit(&next, 1u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const uint mine = row;
    if (mine >= n) return;

    float sum = 0.0f;
    for (uint column = t;; column += threads) {
      if (column > mine) break;
      sum += matrix[ulong(mine) * n + column] * vector[column];
    }
    sum = simd_sum(sum);
    if (lane == 0) sums[simdgroup] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t == 0) {
      float total = 0.0f;
      for (uint s = 0; s < simdgroups; ++s) total += sums[s];
      result[mine] = total;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);  // before row and sums are written again
  }
}
