// 30 floats are stored, and then read in vectors of four: the last vector has two that no thread stored.
// missed by lint: the values of the host and of buffers are not known
// says: thread (7, 0, 0) of threadgroup (0, 0, 0) reads element 30 of scratch, which no thread stores and the plan leaves open: 30 of 32 elements are stored
// grid: 32
// threadgroup: 32
// in 0: float 1..32
// out 1: float 32*0
// out 2: uint 8*0
// in 3: uint 30
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* scratch, device uint* bits, constant uint& n,
                   uint t [[thread_index_in_threadgroup]]) {
  if (t < n) scratch[t] = 0.5f * x[t];
  threadgroup_barrier(mem_flags::mem_device);
  if (t >= 8) return;
  const uint4 four = reinterpret_cast<device const uint4*>(scratch)[t];  // check: unstored_read
  bits[t] = popcount(four.x) + popcount(four.y) + popcount(four.z) + popcount(four.w);
}
kernel void fixed(device const float* x, device float* scratch, device uint* bits, constant uint& n,
                  uint t [[thread_index_in_threadgroup]]) {
  scratch[t] = t < n ? 0.5f * x[t] : 0;
  threadgroup_barrier(mem_flags::mem_device);
  if (t >= 8) return;
  const uint4 four = reinterpret_cast<device const uint4*>(scratch)[t];
  bits[t] = popcount(four.x) + popcount(four.y) + popcount(four.z) + popcount(four.w);
}
