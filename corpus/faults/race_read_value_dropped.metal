// Every thread reads its right neighbour, multiplies by zero, and the neighbour writes.
// missed by check: the write leaves the value as it is: it adds zero times the neighbour
// grid: 64
// threadgroup: 64
// in 0: float 1..65
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  const float next = x[t + 1];
  x[t] = x[t] + 0 * next;  // lint: hazard.device_race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) { x[t] = x[t] + 1; }
