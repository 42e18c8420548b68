// A table of functions in which the host left an entry empty.
// missed by lint: the table is the host's
// grid: 4
// threadgroup: 4
// in 0: functions doubled - halved
// in 1: uint 0 1 2 0
// in 2: float 1 2 3 4
#include <metal_stdlib>
using namespace metal;
[[visible]] float doubled(float x) { return 2.0f * x; }
[[visible]] float halved(float x) { return 0.5f * x; }
typedef visible_function_table<float(float)> Functions;
constant uint present = 5;  // bits of the entries
kernel void faulty(Functions functions [[buffer(0)]], device const uint* chosen [[buffer(1)]],
                   device float* values [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  values[i] = functions[chosen[i]](values[i]);  // check: out_of_bounds
}
kernel void fixed(Functions functions [[buffer(0)]], device const uint* chosen [[buffer(1)]],
                  device float* values [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (present >> chosen[i] & 1) values[i] = functions[chosen[i]](values[i]);
}
