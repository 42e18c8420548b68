// language: metal3.2
// Fences and stricter orders came with metal3.2.
#include <metal_stdlib>
using namespace metal;

kernel void fences(device int* p [[buffer(0)]], coherent(device) device int* q [[buffer(1)]]) {
  p[0] = 1;
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  q[0] = p[0];
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  simdgroup_barrier(mem_flags::mem_none);
}
