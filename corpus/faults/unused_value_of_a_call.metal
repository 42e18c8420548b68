// A helper reads the neighbour, and nothing uses what it returns: the line was left from a test.
// grid: 64
// threadgroup: 64
// in 0: float 1..64
#include <metal_stdlib>
using namespace metal;
inline float read_of(device const float* x, uint i) {
  return x[i];  // check: race
}
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  read_of(x, (t + 1) % 64);
  x[t] = 2 * x[t];  // lint: hazard.device_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  read_of(x, t);
  x[t] = 2 * x[t];
}
