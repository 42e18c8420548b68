// Two parts of one allocation, of which the second is read too early.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
// shared 0: 512
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, threadgroup float* memory [[threadgroup(0)]],
                   uint t [[thread_index_in_threadgroup]], uint width [[threads_per_threadgroup]]) {
  threadgroup float* squares = memory + width;
  memory[t] = x[t];
  squares[t] = x[t] * x[t];  // check: race
  x[t] = memory[t] + squares[width - 1 - t];  // lint: hazard.threadgroup_race; check: race uninitialised
}
kernel void fixed(device float* x, threadgroup float* memory [[threadgroup(0)]],
                  uint t [[thread_index_in_threadgroup]], uint width [[threads_per_threadgroup]]) {
  threadgroup float* squares = memory + width;
  memory[t] = x[t];
  squares[t] = x[t] * x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = memory[t] + squares[width - 1 - t];
}
