// What acquire and release order, and what they do not.
// language: metal4.1
#include <metal_stdlib>
using namespace metal;

// The last threadgroup adds what all others have stored.
// kernel: last_group_adds
// grid: 256
// threadgroup: 64
// in 0: float 0..255
// in 1: float 4*0
// in 2: uint 0
// in 3: float 0
kernel void last_group_adds(device const float* x [[buffer(0)]], device float* sums [[buffer(1)]],
                            device atomic_uint* count [[buffer(2)]],
                            device float* total [[buffer(3)]],
                            uint i [[thread_index_in_threadgroup]],
                            uint group [[threadgroup_position_in_grid]]) {
  threadgroup bool is_last;
  if (i == 0) {
    float sum = 0;
    for (uint k = 0; k < 64; ++k) sum += x[64 * group + k];
    sums[group] = sum;
    is_last = 3 == atomic_fetch_add_explicit(count, 1u, memory_order_acq_rel,
                                             mem_flags::mem_device);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
  if (is_last && i == 1) total[0] = sums[0] + sums[1] + sums[2] + sums[3];
}

// kernel: last_group_adds_relaxed
// grid: 256
// threadgroup: 64
// in 0: float 0..255
// in 1: float 4*0
// in 2: uint 0
// in 3: float 0
kernel void last_group_adds_relaxed(device const float* x [[buffer(0)]],
                                    device float* sums [[buffer(1)]],
                                    device atomic_uint* count [[buffer(2)]],
                                    device float* total [[buffer(3)]],
                                    uint i [[thread_index_in_threadgroup]],
                                    uint group [[threadgroup_position_in_grid]]) {
  threadgroup bool is_last;
  if (i == 0) {
    float sum = 0;
    for (uint k = 0; k < 64; ++k) sum += x[64 * group + k];
    sums[group] = sum;
    is_last = atomic_fetch_add_explicit(count, 1u, memory_order_relaxed) == 3;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
  if (is_last && i == 1) total[0] = sums[0] + sums[1] + sums[2] + sums[3];  // expect: race
}

// The order is of threadgroup memory alone.
// kernel: releases_other_memory
// grid: 128
// threadgroup: 64
// in 0: float 2*0
// in 1: uint 0
// in 2: float 0
kernel void releases_other_memory(device float* value [[buffer(0)]],
                                  device atomic_uint* count [[buffer(1)]],
                                  device float* result [[buffer(2)]],
                                  uint i [[thread_index_in_threadgroup]],
                                  uint group [[threadgroup_position_in_grid]]) {
  if (i != 0) return;
  value[group] = 1.0f + group;
  if (atomic_fetch_add_explicit(count, 1u, memory_order_acq_rel, mem_flags::mem_threadgroup) == 1)
    result[0] = value[0] + value[1];  // expect: race
}

// The store comes after the flag that says it is there.
// kernel: flag_before_value
// grid: 128
// threadgroup: 64
// in 0: float 0
// in 1: uint 0
// in 2: float 0
kernel void flag_before_value(device float* value [[buffer(0)]],
                              device atomic_uint* flag [[buffer(1)]],
                              device float* result [[buffer(2)]],
                              uint i [[thread_position_in_grid]]) {
  if (i == 0) {
    atomic_store_explicit(flag, 1u, memory_order_release, mem_flags::mem_device);
    value[0] = 3.0f;
  } else if (i == 64) {
    if (atomic_load_explicit(flag, memory_order_acquire, mem_flags::mem_device) == 1)
      result[0] = value[0];  // expect: race
  }
}

// kernel: value_before_flag
// grid: 128
// threadgroup: 64
// in 0: float 0
// in 1: uint 0
// in 2: float 0
kernel void value_before_flag(device float* value [[buffer(0)]],
                              device atomic_uint* flag [[buffer(1)]],
                              device float* result [[buffer(2)]],
                              uint i [[thread_position_in_grid]]) {
  if (i == 0) {
    value[0] = 3.0f;
    atomic_store_explicit(flag, 1u, memory_order_release, mem_flags::mem_device);
  } else if (i == 64) {
    if (atomic_load_explicit(flag, memory_order_acquire, mem_flags::mem_device) == 1)
      result[0] = value[0];
  }
}

// Only the store releases.
// kernel: load_does_not_acquire
// grid: 128
// threadgroup: 64
// in 0: float 0
// in 1: uint 0
// in 2: float 0
kernel void load_does_not_acquire(device float* value [[buffer(0)]],
                                  device atomic_uint* flag [[buffer(1)]],
                                  device float* result [[buffer(2)]],
                                  uint i [[thread_position_in_grid]]) {
  if (i == 0) {
    value[0] = 3.0f;
    atomic_store_explicit(flag, 1u, memory_order_release, mem_flags::mem_device);
  } else if (i == 64) {
    if (atomic_load_explicit(flag, memory_order_relaxed) == 1) result[0] = value[0];  // expect: race
  }
}

// What the other threads stored is not ordered before the release: a barrier is missing.
// kernel: one_thread_releases_for_all
// grid: 128
// threadgroup: 64
// in 0: float 128*0
// in 1: uint 0
// in 2: float 0
kernel void one_thread_releases_for_all(device float* value [[buffer(0)]],
                                        device atomic_uint* count [[buffer(1)]],
                                        device float* result [[buffer(2)]],
                                        uint i [[thread_index_in_threadgroup]],
                                        uint g [[thread_position_in_grid]]) {
  value[g] = float(g) + 1;  // expect: race
  if (i != 0) return;
  if (atomic_fetch_add_explicit(count, 1u, memory_order_acq_rel, mem_flags::mem_device) == 1) {
    float sum = 0;
    for (uint k = 0; k < 128; ++k) sum += value[k];  // expect: race
    result[0] = sum;
  }
}

// kernel: one_thread_releases_behind_a_barrier
// grid: 128
// threadgroup: 64
// in 0: float 128*0
// in 1: uint 0
// in 2: float 0
kernel void one_thread_releases_behind_a_barrier(device float* value [[buffer(0)]],
                                                 device atomic_uint* count [[buffer(1)]],
                                                 device float* result [[buffer(2)]],
                                                 uint i [[thread_index_in_threadgroup]],
                                                 uint g [[thread_position_in_grid]]) {
  value[g] = float(g) + 1;
  threadgroup_barrier(mem_flags::mem_device);
  if (i != 0) return;
  if (atomic_fetch_add_explicit(count, 1u, memory_order_acq_rel, mem_flags::mem_device) == 1) {
    float sum = 0;
    for (uint k = 0; k < 128; ++k) sum += value[k];
    result[0] = sum;
  }
}

// Fences beside relaxed operations order the same, one of a threadgroup only its threads.
// kernel: fences
// grid: 128
// threadgroup: 64
// in 0: float 2*0
// in 1: uint 0
// in 2: float 0
kernel void fences(device float* value [[buffer(0)]], device atomic_uint* count [[buffer(1)]],
                   device float* result [[buffer(2)]], uint i [[thread_index_in_threadgroup]],
                   uint group [[threadgroup_position_in_grid]]) {
  if (i != 0) return;
  value[group] = 1.0f + group;
  atomic_thread_fence(mem_flags::mem_device, memory_order_release);
  const uint before = atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
  atomic_thread_fence(mem_flags::mem_device, memory_order_acquire);
  if (before == 1) result[0] = value[0] + value[1];
}

// kernel: fences_of_a_threadgroup
// grid: 128
// threadgroup: 64
// in 0: float 2*0
// in 1: uint 0
// in 2: float 0
kernel void fences_of_a_threadgroup(device float* value [[buffer(0)]],
                                    device atomic_uint* count [[buffer(1)]],
                                    device float* result [[buffer(2)]],
                                    uint i [[thread_index_in_threadgroup]],
                                    uint group [[threadgroup_position_in_grid]]) {
  if (i != 0) return;
  value[group] = 1.0f + group;
  atomic_thread_fence(mem_flags::mem_device, memory_order_release, thread_scope_threadgroup);
  const uint before = atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
  atomic_thread_fence(mem_flags::mem_device, memory_order_acquire, thread_scope_threadgroup);
  if (before == 1) result[0] = value[0] + value[1];  // expect: race
}

// Each simdgroup goes on when the one before has stored its part, in threadgroup memory.
// kernel: simdgroups_hand_over
// grid: 64
// threadgroup: 64
// in 0: float 0
kernel void simdgroups_hand_over(device float* result [[buffer(0)]],
                                 uint lane [[thread_index_in_simdgroup]],
                                 uint simdgroup [[simdgroup_index_in_threadgroup]]) {
  threadgroup float part;
  threadgroup atomic_uint ready;
  if (lane == 0 && simdgroup == 0) atomic_store_explicit(&ready, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lane != 0) return;
  if (simdgroup == 0) {
    part = 7.0f;
    atomic_store_explicit(&ready, 1u, memory_order_release, mem_flags::mem_threadgroup,
                          thread_scope_threadgroup);
  } else if (atomic_load_explicit(&ready, memory_order_acquire, mem_flags::mem_threadgroup,
                                  thread_scope_threadgroup) == 1) {
    result[0] = part;
  }
}
