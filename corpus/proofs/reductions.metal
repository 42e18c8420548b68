// Trees, lists and counters.
// claims tree: barriers proved; bounds part proved; races part proved; races x proved
// claims tree_open: races part refuted 35
// claims appended: races list proved; races count proved
// claims butterfly: races line proved; bounds line proved; barriers proved
// claims strided: races x proved; bounds x proved
// kernel: tree
// grid: 512
// threadgroup: 256
// in 0: float 512*1
// kernel: tree_open
// grid: 512
// threadgroup: 256
// in 0: float 512*1
#include <metal_stdlib>
using namespace metal;

kernel void tree(device float* x, uint t [[thread_position_in_threadgroup]],
                 uint i [[thread_position_in_grid]], uint width [[threads_per_threadgroup]]) {
  threadgroup float part[256];
  part[t] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint reach = width / 2; reach > 0; reach >>= 1) {
    if (t < reach) part[t] += part[t + reach];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  x[i] = part[0];
}

kernel void tree_open(device float* x, uint t [[thread_position_in_threadgroup]],
                      uint i [[thread_position_in_grid]], uint width [[threads_per_threadgroup]]) {
  threadgroup float part[256];
  part[t] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint reach = width / 2; reach > 0; reach >>= 1) if (t < reach) part[t] += part[t + reach];
}
// kernel: appended
// grid: 1000
// threadgroup: 64
// in 0: uint 0
// in 1: uint 1000*0
// in 2: float 1000*1
kernel void appended(device atomic_uint* count, device uint* list, device const float* x,
                     uint i [[thread_position_in_grid]]) {
  if (x[i] > 0.5f) {
    uint slot = atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
    if (slot < 1000) list[slot] = i;
  }
}
// kernel: butterfly
// grid: 64
// threadgroup: 64
// in 0: float 128*1
kernel void butterfly(device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float line[128];
  line[t] = x[t];
  line[t + 64] = x[t + 64];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint half_width = 1; half_width < 128; half_width *= 2) {
    uint low = t / half_width * half_width * 2 + t % half_width;
    float a = line[low], b = line[low + half_width];
    line[low] = a + b;
    line[low + half_width] = a - b;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  x[t] = line[t];
}
// kernel: strided
// grid: 512
// threadgroup: 64
// in 0: float 4000*1
// in 1: uint 4000
kernel void strided(device float* x, constant uint& n, uint i [[thread_position_in_grid]],
                    uint all [[threads_per_grid]]) {
  for (uint k = i; k < n; k += all) x[k] += 1;
}
