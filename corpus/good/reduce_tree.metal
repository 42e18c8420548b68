// The sum of a long array, in two launches of one kernel: each threadgroup leaves one partial sum,
// and a second launch with a single threadgroup adds those.
#include <metal_stdlib>
using namespace metal;

constant uint most_threads = 256;

[[max_total_threads_per_threadgroup(256)]]
kernel void reduce_tree(device const float* x [[buffer(0)]],
                        device float* sums [[buffer(1)]],  // one for each threadgroup
                        constant uint& count [[buffer(2)]],
                        uint i [[thread_position_in_grid]],
                        uint threads_in_grid [[threads_per_grid]],
                        uint group [[threadgroup_position_in_grid]],
                        uint t [[thread_index_in_threadgroup]],
                        uint width [[threads_per_threadgroup]]) {
  threadgroup float part[most_threads];

  // Neighbouring threads read neighbouring elements, whatever the size of the grid.
  float sum = 0.0f;
  for (uint k = i; k < count; k += threads_in_grid) sum += x[k];
  part[t] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);

  // Each round folds the upper part onto the lower one; an odd element in the middle stays.
  for (uint left = width; left > 1;) {
    const uint kept = (left + 1) / 2;
    if (t + kept < left) part[t] += part[t + kept];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    left = kept;
  }
  if (t == 0) sums[group] = part[0];
}
