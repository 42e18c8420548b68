// The buffer that a struct points to is bound, too: neighbours read what a thread writes.
// missed by lint: that both names lead to one buffer
// grid: 64
// threadgroup: 64
// in 0: pointer 1
// in 1: uint 64*1
// in 2: uint 64*0
#include <metal_stdlib>
using namespace metal;

struct Other {
  device uint* values;
};

kernel void faulty(constant Other& other [[buffer(0)]], device uint* x [[buffer(1)]],
                   device uint* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  x[i] = i;                   // check: race
  y[i] = other.values[(i + 1) % 64];  // check: race
}
kernel void fixed(constant Other& other [[buffer(0)]], device uint* x [[buffer(1)]],
                  device uint* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  x[i] = i;
  threadgroup_barrier(mem_flags::mem_device);
  y[i] = other.values[(i + 1) % 64];
}
