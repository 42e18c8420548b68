// Prefix sums and sorts as the papers about GPUVerify and Faial describe them (docs/concepts/proofs.md).
// claims kogge_stone: barriers proved; races line proved; bounds line proved
// claims kogge_stone_one_barrier: races line refuted 43 44
// claims two_buffers: barriers proved; races lines proved; bounds lines proved
// claims blelloch: barriers proved; races line proved; bounds line proved
// claims blelloch_open_end: races line refuted 108 110
// claims simdgroup_totals: barriers proved; races totals proved; bounds totals proved
// claims simdgroup_totals_of_all: races totals refuted 136
// claims bitonic: barriers proved; races keys proved; bounds keys proved
// claims odd_even: barriers proved; races keys proved; bounds keys proved
// claims rank_sort: bounds x proved; races y unknown; bounds y unknown
// claims radix_split: barriers proved; races order proved; bounds order proved
// kernel: kogge_stone
// grid: 64
// threadgroup: 64
// in 0: float 64*1
#include <metal_stdlib>
using namespace metal;

// All threads add what lies a step before them.
kernel void kogge_stone(device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 1; step < 64; step *= 2) {
    const float before = t >= step ? line[t - step] : 0.0f;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    line[t] += before;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  x[t] = line[t];
}
// kernel: kogge_stone_one_barrier
// grid: 64
// threadgroup: 64
// in 0: float 64*1
// One barrier in each round is too few.
kernel void kogge_stone_one_barrier(device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 1; step < 64; step *= 2) {
    const float before = t >= step ? line[t - step] : 0.0f;
    line[t] += before;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  x[t] = line[t];
}
// kernel: two_buffers
// grid: 64
// threadgroup: 64
// in 0: float 64*1
// One barrier in each round is enough with two lines in turn.
kernel void two_buffers(device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float lines[2][64];
  uint from = 0;
  lines[0][t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 1; step < 64; step *= 2) {
    const float before = t >= step ? lines[from][t - step] : 0.0f;
    lines[1 - from][t] = lines[from][t] + before;
    from = 1 - from;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  x[t] = lines[from][t];
}
// kernel: blelloch
// grid: 64
// threadgroup: 64
// in 0: float 128*1
// A tree up and a tree down.
kernel void blelloch(device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float line[128];
  line[2 * t] = x[2 * t];
  line[2 * t + 1] = x[2 * t + 1];
  uint step = 1;
  for (uint active = 64; active > 0; active /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < active) line[step * (2 * t + 2) - 1] += line[step * (2 * t + 1) - 1];
    step *= 2;
  }
  if (t == 0) line[127] = 0;
  for (uint active = 1; active < 128; active *= 2) {
    step /= 2;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < active) {
      const uint a = step * (2 * t + 1) - 1, b = step * (2 * t + 2) - 1;
      const float left = line[a];
      line[a] = line[b];
      line[b] += left;
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[2 * t] = line[2 * t];
  x[2 * t + 1] = line[2 * t + 1];
}
// kernel: blelloch_open_end
// grid: 64
// threadgroup: 64
// in 0: float 128*1
// The results are read before the last round is over.
kernel void blelloch_open_end(device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float line[128];
  line[2 * t] = x[2 * t];
  line[2 * t + 1] = x[2 * t + 1];
  for (uint active = 64, step = 1; active > 0; active /= 2, step *= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < active) line[step * (2 * t + 2) - 1] += line[step * (2 * t + 1) - 1];
  }
  x[2 * t] = line[64 + t];
}
// kernel: simdgroup_totals
// grid: 256
// threadgroup: 256
// in 0: float 256*1
// Each simdgroup leaves its total, and the first one adds them.
kernel void simdgroup_totals(device float* x, uint t [[thread_position_in_threadgroup]],
                             uint lane [[thread_index_in_simdgroup]],
                             uint s [[simdgroup_index_in_threadgroup]]) {
  threadgroup float totals[8];
  const float before = simd_prefix_inclusive_sum(x[t]);
  if (lane == 31) totals[s] = before;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float base = 0;
  for (uint k = 0; k < s; ++k) base += totals[k];
  x[t] = base + before;
}
// kernel: simdgroup_totals_of_all
// grid: 256
// threadgroup: 256
// in 0: float 256*1
// Every lane writes its own sum into the total of its simdgroup.
kernel void simdgroup_totals_of_all(device float* x, uint t [[thread_position_in_threadgroup]],
                                    uint s [[simdgroup_index_in_threadgroup]]) {
  threadgroup uint totals[8];
  totals[s] = t;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] += float(totals[s]);
}
// kernel: bitonic
// grid: 16
// threadgroup: 16
// in 0: uint 32*1
// Compare and exchange of two partners a thread.
kernel void bitonic(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint keys[32];
  keys[t] = x[t];
  keys[t + 16] = x[t + 16];
  for (uint size = 2; size <= 32; size *= 2)
    for (uint step = size / 2; step > 0; step /= 2) {
      threadgroup_barrier(mem_flags::mem_threadgroup);
      const uint a = 2 * t - (t & (step - 1)), b = a + step;
      const bool up = (a & size) == 0;
      if ((keys[a] > keys[b]) == up) {
        const uint held = keys[a];
        keys[a] = keys[b];
        keys[b] = held;
      }
    }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = keys[t];
  x[t + 16] = keys[t + 16];
}
// kernel: odd_even
// grid: 64
// threadgroup: 64
// in 0: uint 129*1
// Neighbours change places, of even and of odd pairs in turn.
kernel void odd_even(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint keys[129];
  keys[2 * t] = x[2 * t];
  keys[2 * t + 1] = x[2 * t + 1];
  if (t == 0) keys[128] = 0xffffffffu;
  for (uint phase = 0; phase < 128; ++phase) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const uint at = 2 * t + phase % 2;
    if (keys[at] > keys[at + 1]) {
      const uint held = keys[at];
      keys[at] = keys[at + 1];
      keys[at + 1] = held;
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[2 * t] = keys[2 * t];
  x[2 * t + 1] = keys[2 * t + 1];
}
// kernel: rank_sort
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 64*0
// Each thread counts what is smaller, and writes to the place that it counts: data decides.
kernel void rank_sort(device const uint* x, device uint* y,
                      uint t [[thread_position_in_threadgroup]]) {
  uint rank = 0;
  for (uint k = 0; k < 64; ++k)
    if (x[k] < x[t] || (x[k] == x[t] && k < t)) ++rank;
  y[rank] = x[t];
}
// kernel: radix_split
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// One bit of a radix sort with counts in threadgroup memory.
kernel void radix_split(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint order[64];
  order[t] = x[t] & 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint before = 0;
  for (uint k = 0; k < t; ++k) before += order[k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  order[t] = before;
  x[t] = before;
}
