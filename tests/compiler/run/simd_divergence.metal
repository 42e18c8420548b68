// Simdgroup functions that only some lanes reach: in branches, after returns, in loops of their own length.
#include <metal_stdlib>
using namespace metal;

// kernel: in_branches
// grid: 32
// threadgroup: 32
// out 0: uint 7*7 25*325
// out 1: uint 7*21 25*475
kernel void in_branches(device uint* count [[buffer(0)]], device uint* sum [[buffer(1)]],
                        uint lane [[thread_index_in_simdgroup]]) {
  uint c, s;
  if (lane < 7) {
    c = simd_sum(1u);
    s = simd_sum(lane);
  } else {
    c = simd_sum(13u);
    s = simd_sum(lane);
  }
  count[lane] = c;
  sum[lane] = s;
}

// kernel: meet_again
// grid: 32
// threadgroup: 32
// out 0: uint 32*40
kernel void meet_again(device uint* out [[buffer(0)]], uint lane [[thread_index_in_simdgroup]]) {
  uint x = 1;
  if (lane % 4 == 0) x = simd_sum(1u) / 4;
  out[lane] = simd_sum(x);
}

// kernel: after_return
// grid: 40
// threadgroup: 40
// in 0: uint 40*9
// out 0: uint 20*20 20*9
kernel void after_return(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i >= 20) return;
  out[i] = simd_sum(1u);
}

// kernel: in_own_loops
// grid: 32
// threadgroup: 32
// out 0: uint 32 345 3468 34692 346926 32 345 3468 34692 346926 32 345 3468 34692 346926 32 345 3468 34692 346926 32 345 3468 34692 346926 32 345 3468 34692 346926 32 345
// out 1: uint 32*32
kernel void in_own_loops(device uint* out [[buffer(0)]], device uint* all [[buffer(1)]],
                         uint lane [[thread_index_in_simdgroup]]) {
  uint seen = 0;
  for (uint trip = 0; trip < 1 + lane % 5; ++trip) seen = seen * 10 + simd_sum(1u);
  out[lane] = seen;
  all[lane] = simd_sum(1u);
}

// kernel: with_barriers
// grid: 100
// threadgroup: 100
// out 0: uint 5050 528 1552 2576 394
kernel void with_barriers(device uint* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]],
                          uint lane [[thread_index_in_simdgroup]],
                          uint group [[simdgroup_index_in_threadgroup]],
                          uint groups [[simdgroups_per_threadgroup]]) {
  threadgroup uint partial[32];
  const uint mine = simd_sum(i + 1);
  if (lane == 0) partial[group] = mine;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (group == 0) {
    const uint total = simd_sum(lane < groups ? partial[lane] : 0);
    if (lane == 0) out[0] = total;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < groups) out[1 + i] = partial[i];
}

// kernel: one_simdgroup_only
// grid: 64
// threadgroup: 64
// in 0: uint 64*3
// out 0: uint 32*3 32*1520
kernel void one_simdgroup_only(device uint* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]],
                               uint group [[simdgroup_index_in_threadgroup]]) {
  if (group == 1) {
    simdgroup_barrier(mem_flags::mem_none);
    out[i] = simd_sum(i);
  }
}

// kernel: rounds_with_barriers
// grid: 64
// threadgroup: 64
// out 0: uint 64*786432
kernel void rounds_with_barriers(device uint* out [[buffer(0)]],
                                 uint t [[thread_index_in_threadgroup]],
                                 uint lane [[thread_index_in_simdgroup]],
                                 uint group [[simdgroup_index_in_threadgroup]]) {
  threadgroup uint sums[2];
  uint x = 3;
  for (int round = 0; round < 3; ++round) {
    const uint sum = simd_sum(x);
    if (lane == 0) sums[group] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    x = sums[0] + sums[1];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  out[t] = x;
}

// kernel: after_exchanges
// grid: 80
// threadgroup: 40
// out 0: uint 32*35 8*11 32*35 8*11
// out 1: uint 40 40
kernel void after_exchanges(device uint* out [[buffer(0)]], device uint* totals [[buffer(1)]],
                            uint i [[thread_position_in_grid]],
                            uint t [[thread_index_in_threadgroup]],
                            uint g [[threadgroup_position_in_grid]]) {
  threadgroup atomic_uint total;
  if (t == 0) atomic_store_explicit(&total, 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint old = atomic_load_explicit(&total, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&total, &old, old + 1, memory_order_relaxed,
                                                memory_order_relaxed)) {}
  out[i] = simd_sum(1u) + 3;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) totals[g] = atomic_load_explicit(&total, memory_order_relaxed);
}

// kernel: after_float_additions
// grid: 40
// threadgroup: 40
// in 1: float 0
// out 0: uint 32*32 8*8
// out 1: float 820
kernel void after_float_additions(device uint* out [[buffer(0)]],
                                  device atomic_float* total [[buffer(1)]],
                                  uint t [[thread_index_in_threadgroup]]) {
  atomic_fetch_add_explicit(total, float(t + 1), memory_order_relaxed);
  out[t] = simd_sum(1u);
}

// Threads leave the loop in two ways, and some return before the barrier.
// kernel: after_exchanges_in_a_branch
// grid: 64
// threadgroup: 64
// out 0: uint 4*104 12*106 4*104 12*106 4*104 12*106 4*104 12*106
// out 1: uint 128
kernel void after_exchanges_in_a_branch(device uint* out [[buffer(0)]], device uint* all [[buffer(1)]],
                                        uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint total;
  if (t == 0) atomic_store_explicit(&total, 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint x = 100;
  for (uint round = 0; round < 4; ++round) {
    uint old = atomic_load_explicit(&total, memory_order_relaxed);
    if (t % 16 < 4) {
      if (round == 2) break;
      while (!atomic_compare_exchange_weak_explicit(&total, &old, old + 4, memory_order_relaxed,
                                                    memory_order_relaxed)) {}
    }
    x += simd_sum(1u) / 16;
  }
  out[t] = x;
  if (t % 2) return;
  threadgroup_barrier(mem_flags::mem_threadgroup);  // expect: barrier_divergence
  if (t == 0) all[0] = atomic_load_explicit(&total, memory_order_relaxed);
}
