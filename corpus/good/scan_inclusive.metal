// Running sums of each row, after Hillis and Steele: in every round a thread adds the element that
// stands twice as far to its left as in the round before.
#include <metal_stdlib>
using namespace metal;

constant uint most_threads = 512;

[[max_total_threads_per_threadgroup(512)]]
kernel void scan_rows_inclusive(device const float* x [[buffer(0)]],
                                device float* y [[buffer(1)]],
                                constant uint& columns [[buffer(2)]],
                                uint row [[threadgroup_position_in_grid]],
                                uint t [[thread_index_in_threadgroup]],
                                uint width [[threads_per_threadgroup]]) {
  threadgroup float sums[most_threads];
  float before = 0.0f;  // the sum of all earlier pieces of the row

  for (uint base = 0; base < columns; base += width) {
    const uint column = base + t;
    sums[t] = column < columns ? x[row * columns + column] : 0.0f;
    threadgroup_barrier(mem_flags::mem_threadgroup);

    for (uint distance = 1; distance < width; distance *= 2) {
      const float left = t >= distance ? sums[t - distance] : 0.0f;
      // All have read before anybody writes.
      threadgroup_barrier(mem_flags::mem_threadgroup);
      sums[t] += left;
      threadgroup_barrier(mem_flags::mem_threadgroup);
    }

    if (column < columns) y[row * columns + column] = before + sums[t];
    before += sums[width - 1];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
}
