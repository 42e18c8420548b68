// Threadgroup arrays: which barriers order what.
// claims transposed: barriers proved; bounds tile proved; races tile proved; races x proved
// claims halves: races line proved; barriers proved
// claims halves_late: races line refuted 44 46
// claims in_simdgroups: races line proved; barriers proved
// claims over_simdgroups: races line refuted 65 67
// claims early: barriers refuted 77
// kernel: transposed
// grid: 64 64
// threadgroup: 16 16
// in 0: float 4096*1
// kernel: halves
// grid: 64
// threadgroup: 64
// in 0: float 512*1
// kernel: halves_late
// grid: 64
// threadgroup: 64
// in 0: float 512*1
#include <metal_stdlib>
using namespace metal;

kernel void transposed(device float* x, uint2 t [[thread_position_in_threadgroup]],
                       uint2 i [[thread_position_in_grid]]) {
  threadgroup float tile[16][17];
  tile[t.y][t.x] = x[64 * i.y + i.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[64 * i.y + i.x] = tile[t.x][t.y];
}

kernel void halves(device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float line[128];
  for (uint k = 0; k < 8; ++k) {
    line[64 * (k & 1) + t] = x[64 * k + t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    x[64 * k + t] = line[64 * (k & 1) + 63 - t];
  }
}

// The next round overwrites what others still read.
kernel void halves_late(device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float line[64];
  for (uint k = 0; k < 8; ++k) {
    line[t] = x[64 * k + t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    x[64 * k + t] = line[63 - t];
  }
}
// kernel: in_simdgroups
// grid: 64
// threadgroup: 64
// in 0: float 64*1
kernel void in_simdgroups(device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[t ^ 5];
}
// kernel: over_simdgroups
// grid: 64
// threadgroup: 64
// in 0: float 64*1
kernel void over_simdgroups(device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[t ^ 33];
}
// kernel: early
// grid: 64
// threadgroup: 64
// in 0: float 64*1
kernel void early(device float* x, uint t [[thread_position_in_threadgroup]]) {
  if (t > 40) return;
  threadgroup float line[64];
  line[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[40 - t];
}
