// A counter of 16 bits wraps around before it reaches the end.
// missed by lint: the values of the host and of buffers are not known
// grid: 1
// threadgroup: 1
// in 0: float 1..64
// in 1: uint 70000
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& n, uint t [[thread_index_in_threadgroup]]) {
  ushort rounds = 0;
  for (uint k = 0; k < n; ++k) rounds = ushort(rounds + 1);  // check: narrowed
  if (rounds >= 60000) x[t] = float(rounds);
}
kernel void fixed(device float* x, constant uint& n, uint t [[thread_index_in_threadgroup]]) {
  uint rounds = 0;
  for (uint k = 0; k < n; ++k) rounds = rounds + 1;
  if (rounds >= 60000) x[t] = float(rounds);
}
