// language: metal3.2
// Fences order plain accesses around atomic ones, with each order and scope.
#include <metal_stdlib>
using namespace metal;

// The thread that counts last sees what all others wrote before their fence.
// kernel: last_thread_sums
// grid: 64
// threadgroup: 16
// in 0: uint 1..64
// in 1: uint 0
// out 2: uint 2080
// in 3: uint 64*0
kernel void last_thread_sums(device const uint* in [[buffer(0)]],
                             device atomic_uint* count [[buffer(1)]],
                             device uint* out [[buffer(2)]],
                             coherent(device) device uint* partial [[buffer(3)]],
                             uint i [[thread_position_in_grid]],
                             uint n [[threads_per_grid]]) {
  partial[i] = in[i];
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  if (atomic_fetch_add_explicit(count, 1u, memory_order_relaxed) != n - 1) return;
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  uint sum = 0;
  for (uint k = 0; k < n; ++k) sum += partial[k];
  out[0] = sum;
}

// kernel: each_scope_and_order
// grid: 8
// threadgroup: 4
// out 0: uint 9 9 9 9 9 9 9 9
kernel void each_scope_and_order(device uint* out [[buffer(0)]],
                                 uint i [[thread_position_in_grid]],
                                 uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint values[4];
  values[t] = 9;
  atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_relaxed, thread_scope_thread);
  atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_simdgroup);
  atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_threadgroup);
  atomic_thread_fence(mem_flags::mem_threadgroup | mem_flags::mem_device, memory_order_seq_cst);
  atomic_thread_fence(mem_flags::mem_texture, memory_order_seq_cst, thread_scope_device);
  out[i] = values[t];
}
