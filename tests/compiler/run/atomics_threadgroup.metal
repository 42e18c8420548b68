// Atomics in threadgroup memory, in variables, arrays and structs.
// language: metal4.1
#include <metal_stdlib>
using namespace metal;

// kernel: histogram
// grid: 16
// threadgroup: 8
// in 0: uint 0 1 2 3 0 1 2 0 3 3 3 3 3 3 3 2
// out 1: uint 3 2 2 1 0 0 1 7
kernel void histogram(device const uint* in [[buffer(0)]], device uint* out [[buffer(1)]],
                      uint i [[thread_position_in_grid]],
                      uint t [[thread_position_in_threadgroup]],
                      uint g [[threadgroup_position_in_grid]]) {
  threadgroup atomic_uint bins[4];
  if (t < 4) atomic_store_explicit(&bins[t], 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(&bins[in[i]], 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 4) out[4 * g + t] = atomic_load_explicit(&bins[t], memory_order_relaxed);
}

struct Range {
  atomic_int least;
  atomic_int most;
  atomic_float sum;
};

// kernel: ranges
// grid: 8
// threadgroup: 8
// in 0: int 5 -3 12 0 -7 2 2 9
// out 1: int -7 12 20
kernel void ranges(device const int* in [[buffer(0)]], device int* out [[buffer(1)]],
                   uint t [[thread_index_in_threadgroup]]) {
  threadgroup Range range;
  if (t == 0) {
    atomic_store_explicit(&range.least, INT_MAX, memory_order_relaxed);
    atomic_store_explicit(&range.most, INT_MIN, memory_order_relaxed);
    atomic_store_explicit(&range.sum, 0, memory_order_relaxed);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_min_explicit(&range.least, in[t], memory_order_relaxed);
  atomic_fetch_max_explicit(&range.most, in[t], memory_order_relaxed);
  atomic_fetch_add_explicit(&range.sum, float(in[t]), memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) {
    out[0] = atomic_load_explicit(&range.least, memory_order_relaxed);
    out[1] = atomic_load_explicit(&range.most, memory_order_relaxed);
    out[2] = int(atomic_load_explicit(&range.sum, memory_order_relaxed));
  }
}
