// One field of a record is read from the neighbour's record too early.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
struct Moments {
  float mean;
  float spread;
};
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup Moments moments[64];
  moments[t].mean = x[t];  // check: race
  moments[t].spread = 1;
  x[t] = t < 63 ? moments[t + 1].mean : 0.0f;  // lint: hazard.threadgroup_race; check: race uninitialised
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup Moments moments[64];
  moments[t].mean = x[t];
  moments[t].spread = 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = t < 63 ? moments[t + 1].mean : 0.0f;
}
