// Barriers. README.md explains the lines that begin a source.
// --- threadgroup_barrier: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = 0;
}

// --- simdgroup_barrier: .. | Apple2
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  simdgroup_barrier(mem_flags::mem_none);
  out[i] = 0;
}

// --- threadgroup_with_order: metal4.1.. | 'memory_order_acq_rel'
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup_barrier(mem_flags::mem_threadgroup, memory_order_acq_rel);
  out[i] = 0;
}

// --- threadgroup_with_scope: metal4.1.. | 'memory_order_acq_rel'
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup_barrier(mem_flags::mem_device, memory_order_acq_rel, thread_scope_device);
  out[i] = 0;
}

// --- threadgroup_relaxed: metal4.1.. | no matching function for call to 'threadgroup_barrier'
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup_barrier(mem_flags::mem_threadgroup, memory_order_relaxed);
  out[i] = 0;
}

// --- simdgroup_with_order: metal4.1.. | 'memory_order_acq_rel'
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  simdgroup_barrier(mem_flags::mem_threadgroup, memory_order_acq_rel);
  out[i] = 0;
}

// --- simdgroup_with_scope: metal4.1.. | 'memory_order_acq_rel'
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  simdgroup_barrier(mem_flags::mem_device, memory_order_acq_rel, thread_scope_device);
  out[i] = 0;
}

// --- simdgroup_relaxed: metal4.1.. | no matching function for call to 'simdgroup_barrier'
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  simdgroup_barrier(mem_flags::mem_threadgroup, memory_order_relaxed);
  out[i] = 0;
}

// --- without_flags: none | threadgroup_barrier
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup_barrier();
  out[i] = 0;
}
