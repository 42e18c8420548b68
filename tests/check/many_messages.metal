// More messages than a run keeps.
#include <metal_stdlib>
using namespace metal;
// language: metal3.2
// grid: 1000
// threadgroup: 100
// in 0: uint 1000*0
kernel void many(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = i;
  os_log_default.log_info("thread %u", i);
}
