// Barriers that some threads of a threadgroup do not reach.
#include <metal_stdlib>
using namespace metal;

// kernel: early_return
// grid: 16
// threadgroup: 16
// in 0: float 0..11
// in 1: float 12*0
kernel void early_return(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                         uint i [[thread_position_in_grid]]) {
  threadgroup float tile[16];
  if (i >= 12) return;
  tile[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);  // expect: barrier_divergence
  y[i] = tile[11 - i];
}

// kernel: in_a_branch
// grid: 16
// threadgroup: 16
// in 0: float 0..15
kernel void in_a_branch(device float* x [[buffer(0)]],
                        uint i [[thread_position_in_threadgroup]]) {
  threadgroup float tile[16];
  tile[i] = x[i];
  if (i < 8) {
    threadgroup_barrier(mem_flags::mem_threadgroup);  // expect: barrier_divergence
    x[i] = tile[i] + 1;
  }
}

// kernel: one_on_either_side
// grid: 16
// threadgroup: 16
// in 0: float 0..15
kernel void one_on_either_side(device float* x [[buffer(0)]],
                               uint i [[thread_position_in_threadgroup]]) {
  if (i & 1) {
    x[i] += 1;
    threadgroup_barrier(mem_flags::mem_device);
    x[i] *= 2;
  } else {
    x[i] += 3;
    threadgroup_barrier(mem_flags::mem_device);  // expect: barrier_divergence
    x[i] *= 4;
  }
}

// kernel: rounds_differ
// grid: 8
// threadgroup: 8
// in 0: uint 0..7
kernel void rounds_differ(device uint* x [[buffer(0)]],
                          uint i [[thread_position_in_threadgroup]]) {
  uint sum = 0;
  for (uint k = 0; k <= i; ++k) {
    sum += k;
    threadgroup_barrier(mem_flags::mem_threadgroup);  // expect: barrier_divergence
  }
  x[i] = sum;
}

// kernel: data_decides
// grid: 32
// threadgroup: 32
// in 0: int 0..15 -16..-1
kernel void data_decides(device int* x [[buffer(0)]],
                         uint i [[thread_position_in_threadgroup]]) {
  threadgroup int most;
  if (i == 0) most = 0;
  if (x[i] >= 0) {
    threadgroup_barrier(mem_flags::mem_threadgroup);  // expect: barrier_divergence
    x[i] = most + int(i);
  }
}

// kernel: leaves_the_loop
// grid: 16
// threadgroup: 16
// in 0: float 1..16
kernel void leaves_the_loop(device float* x [[buffer(0)]],
                            uint i [[thread_position_in_threadgroup]]) {
  float value = x[i];
  for (uint round = 0; round < 6; ++round) {
    value *= 2;
    if (value > 100) break;
    threadgroup_barrier(mem_flags::mem_threadgroup);  // expect: barrier_divergence
  }
  x[i] = value;
}

// kernel: one_simdgroup_goes_home
// grid: 64
// threadgroup: 64
// in 0: float 64*1
kernel void one_simdgroup_goes_home(device float* x [[buffer(0)]],
                                    uint i [[thread_position_in_threadgroup]],
                                    uint simdgroup [[simdgroup_index_in_threadgroup]]) {
  const float sum = simd_sum(x[i]);
  if (simdgroup == 1) return;
  threadgroup_barrier(mem_flags::mem_device);  // expect: barrier_divergence
  x[i] = sum;
}

void settle(threadgroup float* tile, uint i) {
  tile[i] *= 2;
  threadgroup_barrier(mem_flags::mem_threadgroup);  // expect: barrier_divergence
}

// kernel: inside_a_helper
// grid: 8
// threadgroup: 8
// in 0: float 1..8
kernel void inside_a_helper(device float* x [[buffer(0)]],
                            uint i [[thread_position_in_threadgroup]]) {
  threadgroup float tile[8];
  tile[i] = x[i];
  if (i != 5) settle(tile, i);
  x[i] = tile[i];
}

// Both branches wait and then read: the reads stay apart in the checked code.
// kernel: reads_after_barriers_of_two_branches
// grid: 64
// threadgroup: 64
// in 0: float 128*1
kernel void reads_after_barriers_of_two_branches(device float* x [[buffer(0)]],
                                                 uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  if (t < 32) {
    threadgroup_barrier(mem_flags::mem_threadgroup);  // expect: barrier_divergence
    x[t] = line[t + 32];
  } else {
    x[64 + t] = 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    x[t] = line[t - 32];
  }
}

// kernel: half_of_a_simdgroup
// grid: 32
// threadgroup: 32
// in 0: float 32*1
kernel void half_of_a_simdgroup(device float* x [[buffer(0)]],
                                uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[32];
  tile[t] = x[t];
  if (t < 16) simdgroup_barrier(mem_flags::mem_threadgroup);  // expect: barrier_divergence
  x[t] += tile[t];
}

// kernel: returns_before_the_simdgroup_barrier
// grid: 64
// threadgroup: 64
// in 0: float 64*1
kernel void returns_before_the_simdgroup_barrier(device float* x [[buffer(0)]],
                                                 uint t [[thread_index_in_threadgroup]]) {
  if (t >= 40) return;
  simdgroup_barrier(mem_flags::mem_none);  // expect: barrier_divergence
  x[t] += 1;
}
