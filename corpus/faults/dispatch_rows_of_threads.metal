// The threads of a threadgroup share the elements of a block, but each looks its own pair up.
// grid: 128
// threadgroup: 64
// in 0: float 256*1
// in 1: int 0 2 1 3
// in 2: int 64
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* cache, device const int* pairs, constant int& length,
                   uint pair [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]],
                   uint threads [[threads_per_threadgroup]]) {
  const int from = pairs[2 * pair];  // check: out_of_bounds
  const int to = pairs[2 * pair + 1];  // check: out_of_bounds
  for (int i = t; i < length; i += threads)
    cache[to * length + i] = cache[from * length + i];  // lint: hazard.grid_position_as_group
}
kernel void fixed(device float* cache, device const int* pairs, constant int& length,
                  uint pair [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]],
                  uint threads [[threads_per_threadgroup]]) {
  const int from = pairs[2 * pair];
  const int to = pairs[2 * pair + 1];
  for (int i = t; i < length; i += threads)
    cache[to * length + i] = cache[from * length + i];
}
