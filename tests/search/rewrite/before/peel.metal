#include <metal_stdlib>
using namespace metal;

kernel void stages(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
                   uint i [[thread_position_in_threadgroup]]) {
  threadgroup float line[64];
  line[i] = x[i];
  for (uint distance = 1; distance < n; distance *= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    line[i] += float(i % distance);
  }
  if (n > 3)
    for (int k = 2; k < int(n); ++k) x[k] += line[k];
  for (uint k = i; k < n; ++k) x[k] += 1.0f;  // begins with no constant
  for (uint k = 8; k > 0; k /= 2) x[k] += 1.0f;  // counts down
  for (uint k = 0; k < n; ++k) {  // is left early
    if (x[k] > 0.0f) break;
  }
  for (uint k = 0; k < n; ++k) k += i;  // changes its counter
}
