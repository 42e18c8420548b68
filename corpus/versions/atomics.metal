// Atomic functions, orders and fences. README.md explains the lines that begin a source.
// --- float_add_in_device: metal3.0.. | 'atomic_f
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_float* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(a, float(i), memory_order_relaxed);
}

// --- float_add_in_threadgroup: metal4.1.. | 'atomic_f
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup atomic_float a;
  atomic_fetch_add_explicit(&a, float(i), memory_order_relaxed);
  out[i] = 0;
}

// --- float_sub_in_device: metal3.0.. | 'atomic_f
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_float* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_sub_explicit(a, float(i), memory_order_relaxed);
}

// --- float_sub_in_threadgroup: metal4.1.. | 'atomic_f
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup atomic_float a;
  atomic_fetch_sub_explicit(&a, float(i), memory_order_relaxed);
  out[i] = 0;
}

// --- float_min: none | 'atomic_f
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_float* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_min_explicit(a, float(i), memory_order_relaxed);
}

// --- float_max: none | 'atomic_f
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_float* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_max_explicit(a, float(i), memory_order_relaxed);
}

// --- uint_add: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(a, i, memory_order_relaxed);
}

// --- uint_sub: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_sub_explicit(a, i, memory_order_relaxed);
}

// --- uint_min: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_min_explicit(a, i, memory_order_relaxed);
}

// --- uint_max: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_max_explicit(a, i, memory_order_relaxed);
}

// --- uint_and: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_and_explicit(a, i, memory_order_relaxed);
}

// --- uint_or: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_or_explicit(a, i, memory_order_relaxed);
}

// --- uint_xor: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_xor_explicit(a, i, memory_order_relaxed);
}

// --- int_in_threadgroup: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup atomic_int a;
  atomic_fetch_add_explicit(&a, 1, memory_order_relaxed);
  out[i] = 0;
}

// --- exchange: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_exchange_explicit(a, i, memory_order_relaxed);
}

// --- compare_exchange: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint expected = 0;
  atomic_compare_exchange_weak_explicit(a, &expected, i, memory_order_relaxed, memory_order_relaxed);
}

// --- fence_acquire: metal4.1..
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_thread_fence(mem_flags::mem_device, memory_order_acquire, thread_scope_device);
}

// --- three_arguments_acquire: none | memory_order_
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(a, 1u, memory_order_acquire);
}

// --- ordered_add_acquire: metal4.1.. | use of undeclared identifier 'memory_order_
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(a, 1u, memory_order_acquire, mem_flags::mem_device);
}

// --- fence_release: metal4.1..
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_thread_fence(mem_flags::mem_device, memory_order_release, thread_scope_device);
}

// --- three_arguments_release: none | memory_order_
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(a, 1u, memory_order_release);
}

// --- ordered_add_release: metal4.1.. | use of undeclared identifier 'memory_order_
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(a, 1u, memory_order_release, mem_flags::mem_device);
}

// --- fence_acq_rel: metal4.1..
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_thread_fence(mem_flags::mem_device, memory_order_acq_rel, thread_scope_device);
}

// --- three_arguments_acq_rel: none | memory_order_
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(a, 1u, memory_order_acq_rel);
}

// --- ordered_add_acq_rel: metal4.1.. | use of undeclared identifier 'memory_order_
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(a, 1u, memory_order_acq_rel, mem_flags::mem_device);
}

// --- ordered_load: metal4.1.. | use of undeclared identifier 'memory_order_
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], device uint* out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  out[i] = atomic_load_explicit(a, memory_order_acquire, mem_flags::mem_device);
}

// --- ordered_store: metal4.1.. | use of undeclared identifier 'memory_order_
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_store_explicit(a, i, memory_order_release, mem_flags::mem_device);
}

// --- ordered_exchange: metal4.1.. | use of undeclared identifier 'memory_order_
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_exchange_explicit(a, i, memory_order_acq_rel, mem_flags::mem_device);
}

// --- ordered_compare_exchange: metal4.1.. | use of undeclared identifier 'memory_order_
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint expected = 0;
  atomic_compare_exchange_weak_explicit(a, &expected, i, memory_order_acq_rel, memory_order_acquire,
                                        mem_flags::mem_device);
}

// --- ordered_float_min: none
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_float* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_min_explicit(a, 1.0f, memory_order_release, mem_flags::mem_device);
}

// --- fence_relaxed: metal3.2.. | 'atomic_thread_fence'
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_thread_fence(mem_flags::mem_device, memory_order_relaxed);
  out[i] = 0;
}

// --- fence_seq_cst: metal3.2.. | 'atomic_thread_fence'
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst);
  out[i] = 0;
}

// --- fence_with_scope: metal3.2.. | 'atomic_thread_fence'
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_threadgroup);
  out[i] = 0;
}

// --- ulong_max: metal2.4.. | Apple9 | 'atomic_
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_ulong* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_max_explicit(a, ulong(i), memory_order_relaxed);
}
