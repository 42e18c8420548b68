// Reductions as the papers about GPUVerify and Faial describe them (docs/concepts/proofs.md).
// claims interleaved: barriers proved; races part proved; bounds part proved; races out proved
// claims interleaved_late: barriers proved; races part refuted 43
// claims strided_threads: barriers proved; races part proved; bounds part proved
// claims halving: barriers proved; races part proved; bounds part proved
// claims halving_off_by_one: races part refuted 93
// claims barrier_of_half: barriers refuted 112
// claims last_simdgroup: barriers proved; races part proved
// claims last_simdgroup_trusting: races part refuted 155
// claims of_threadgroups: races out proved; bounds out proved; bounds x proved
// claims one_result_for_all: races out refuted 187
// kernel: interleaved
// grid: 256
// threadgroup: 256
// in 0: float 256*1
// in 1: float 1*0
#include <metal_stdlib>
using namespace metal;

// Neighbours first; which threads work depends on a remainder.
kernel void interleaved(device const float* x, device float* out,
                        uint t [[thread_position_in_threadgroup]]) {
  threadgroup float part[256];
  part[t] = x[t];
  for (uint step = 1; step < 256; step *= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t % (2 * step) == 0) part[t] += part[t + step];
  }
  if (t == 0) out[0] = part[0];
}
// kernel: interleaved_late
// grid: 256
// threadgroup: 256
// in 0: float 256*1
// in 1: float 1*0
// The same without the barrier.
kernel void interleaved_late(device const float* x, device float* out,
                             uint t [[thread_position_in_threadgroup]]) {
  threadgroup float part[256];
  part[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 1; step < 256; step *= 2)
    if (t % (2 * step) == 0) part[t] += part[t + step];
  if (t == 0) out[0] = part[0];
}
// kernel: strided_threads
// grid: 256
// threadgroup: 256
// in 0: float 256*1
// in 1: float 1*0
// The first threads work, at strided places.
kernel void strided_threads(device const float* x, device float* out,
                            uint t [[thread_position_in_threadgroup]]) {
  threadgroup float part[256];
  part[t] = x[t];
  for (uint step = 1; step < 256; step *= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const uint at = 2 * step * t;
    if (at + step < 256) part[at] += part[at + step];
  }
  if (t == 0) out[0] = part[0];
}
// kernel: halving
// grid: 256
// threadgroup: 256
// in 0: float 512*1
// in 1: float 1*0
// Two elements a thread, and the active half shrinks.
kernel void halving(device const float* x, device float* out,
                    uint t [[thread_position_in_threadgroup]]) {
  threadgroup float part[256];
  part[t] = x[t] + x[t + 256];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint reach = 128; reach > 0; reach /= 2) {
    if (t < reach) part[t] += part[t + reach];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) out[0] = part[0];
}
// kernel: halving_off_by_one
// grid: 256
// threadgroup: 256
// in 0: float 512*1
// in 1: float 1*0
// One thread too many works.
kernel void halving_off_by_one(device const float* x, device float* out,
                               uint t [[thread_position_in_threadgroup]]) {
  threadgroup float part[257];
  part[t] = x[t];
  if (t == 0) part[256] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint reach = 128; reach > 0; reach /= 2) {
    if (t <= reach) part[t] += part[t + reach];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) out[0] = part[0];
}
// kernel: barrier_of_half
// grid: 256
// threadgroup: 256
// in 0: float 256*1
// in 1: float 1*0
// The barrier stands where only the active half comes.
kernel void barrier_of_half(device const float* x, device float* out,
                            uint t [[thread_position_in_threadgroup]]) {
  threadgroup float part[256];
  part[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint reach = 128; reach > 0; reach /= 2)
    if (t < reach) {
      part[t] += part[t + reach];
      threadgroup_barrier(mem_flags::mem_threadgroup);
    }
  if (t == 0) out[0] = part[0];
}
// kernel: last_simdgroup
// grid: 256
// threadgroup: 256
// in 0: float 256*1
// in 1: float 1*0
// Threadgroup barriers first; the last simdgroup goes on alone, with barriers of its own.
kernel void last_simdgroup(device const float* x, device float* out,
                           uint t [[thread_position_in_threadgroup]]) {
  threadgroup float part[256];
  part[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint reach = 128; reach >= 32; reach /= 2) {
    if (t < reach) part[t] += part[t + reach];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t < 32)
    for (uint reach = 16; reach > 0; reach /= 2) {
      if (t < reach) part[t] += part[t + reach];
      simdgroup_barrier(mem_flags::mem_threadgroup);
    }
  if (t == 0) out[0] = part[0];
}
// kernel: last_simdgroup_trusting
// grid: 256
// threadgroup: 256
// in 0: float 256*1
// in 1: float 1*0
// The last simdgroup trusts that its lanes go in step.
kernel void last_simdgroup_trusting(device const float* x, device float* out,
                                    uint t [[thread_position_in_threadgroup]]) {
  threadgroup float part[256];
  part[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint reach = 128; reach >= 32; reach /= 2) {
    if (t < reach) part[t] += part[t + reach];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t < 32)
    for (uint reach = 16; reach > 0; reach /= 2)
      if (t < reach) part[t] += part[t + reach];
  if (t == 0) out[0] = part[0];
}
// kernel: of_threadgroups
// grid: 1000
// threadgroup: 64
// in 0: float 1000*1
// in 1: float 16*0
// in 2: uint 1000
// One sum for each threadgroup; the last one is smaller.
kernel void of_threadgroups(device const float* x, device float* out, constant uint& n,
                            uint t [[thread_position_in_threadgroup]],
                            uint i [[thread_position_in_grid]],
                            uint g [[threadgroup_position_in_grid]]) {
  threadgroup float part[64];
  part[t] = i < n ? x[i] : 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) {
    float sum = 0;
    for (uint k = 0; k < min(64u, n - 64 * g); ++k) sum += part[k];
    out[g] = sum;
  }
}
// kernel: one_result_for_all
// grid: 128
// threadgroup: 64
// in 0: float 128*1
// in 1: float 1*0
// Each threadgroup adds its sum to one number.
kernel void one_result_for_all(device const float* x, device float* out,
                               uint t [[thread_position_in_threadgroup]],
                               uint i [[thread_position_in_grid]]) {
  if (t == 0) out[0] += x[i];
}
