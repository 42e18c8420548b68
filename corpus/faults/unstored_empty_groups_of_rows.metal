// The mean of a group is stored where the group has rows.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: uint 0 3 3 5 9
// in 1: float 1..9
// out 2: float 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* begin, device const float* x, device float* mean,
                   uint group [[thread_position_in_grid]]) {
  const uint n = begin[group + 1] - begin[group];
  float sum = 0;
  for (uint k = begin[group]; k < begin[group + 1]; ++k) sum += x[k];
  if (n > 0) mean[group] = sum / float(n);  // check: unstored
}
kernel void fixed(device const uint* begin, device const float* x, device float* mean,
                  uint group [[thread_position_in_grid]]) {
  const uint n = begin[group + 1] - begin[group];
  float sum = 0;
  for (uint k = begin[group]; k < begin[group + 1]; ++k) sum += x[k];
  mean[group] = n > 0 ? sum / float(max(n, 1u)) : 0;
}
