// A histogram of bytes. Each threadgroup counts into memory of its own, where collisions are cheap,
// and adds what it has to the totals once. The host clears the totals first.
#include <metal_stdlib>
using namespace metal;

constant uint bins = 256;

kernel void histogram(device const uchar* values [[buffer(0)]],
                      device atomic_uint* totals [[buffer(1)]],
                      constant uint& count [[buffer(2)]],
                      uint i [[thread_position_in_grid]],
                      uint threads_in_grid [[threads_per_grid]],
                      uint t [[thread_index_in_threadgroup]],
                      uint width [[threads_per_threadgroup]]) {
  threadgroup atomic_uint counts[bins];
  for (uint bin = t; bin < bins; bin += width)
    atomic_store_explicit(&counts[bin], 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);

  for (uint k = i; k < count; k += threads_in_grid)
    atomic_fetch_add_explicit(&counts[values[k]], 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);

  for (uint bin = t; bin < bins; bin += width) {
    const uint found = atomic_load_explicit(&counts[bin], memory_order_relaxed);
    // Most bins of a small piece are empty, and adding nothing costs as much as adding something.
    if (found > 0) atomic_fetch_add_explicit(&totals[bin], found, memory_order_relaxed);
  }
}
