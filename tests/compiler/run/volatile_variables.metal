// What is volatile stays so in every address space: on the thread's own variables, on threadgroup and on device memory.
#include <metal_stdlib>
using namespace metal;

struct Pair {
  float first;
  float second;
};

// kernel: of_the_thread
// grid: 4
// threadgroup: 2
// in 0: float 1 2 3 4
// out 0: float 8 11 14 17
kernel void of_the_thread(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  volatile float one = x[i];
  volatile float many[2];
  many[i % 2] = one;
  volatile Pair pair;
  pair.first = many[i % 2];
  volatile int rounds = 0;
  for (rounds = 0; rounds < 2; rounds = rounds + 1) one = one + 1;
  volatile bool go_on = true;
  if (go_on) pair.second = pair.first + 1;
  x[i] = one + pair.first + pair.second + rounds;
}

// kernel: of_memory
// grid: 4
// threadgroup: 4
// in 0: float 1 2 3 4
// out 0: float 4 3 2 1
kernel void of_memory(volatile device float* x [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup volatile float seen[4];
  seen[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = seen[3 - i];
}
