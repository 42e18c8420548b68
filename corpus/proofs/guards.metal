// Accesses behind guards, at a grid that is larger than the data.
// claims guarded: bounds x proved; bounds n proved; races x proved
// claims tail: bounds x refuted 27; races x proved
// claims gather: bounds order proved; bounds x unknown; bounds y proved; races y proved
// claims clamped: bounds x proved; bounds y proved
// claims narrow_groups: bounds x proved; races x refuted 47
// kernel: guarded
// grid: 1024
// threadgroup: 64
// in 0: float 1000*1
// in 1: uint 1000
// kernel: tail
// grid: 1024
// threadgroup: 64
// in 0: float 1000*1
// kernel: gather
// grid: 1000
// threadgroup: 64
// in 0: float 1000*1
// in 1: uint 0..999
// in 2: float 1000*0
#include <metal_stdlib>
using namespace metal;
kernel void guarded(device float* x, constant uint& n, uint i [[thread_position_in_grid]]) {
  if (i < n) x[i] += 1;
}
kernel void tail(device float* x, uint i [[thread_position_in_grid]]) { x[i] += 1; }
kernel void gather(device const float* x, device const uint* order, device float* y,
                   uint i [[thread_position_in_grid]]) {
  y[i] = x[order[i]];
}
// kernel: clamped
// grid: 1000
// threadgroup: 64
// in 0: float 1000*1
// in 1: uint 0..999
// in 2: float 1000*0
kernel void clamped(device const float* x, device const uint* order, device float* y,
                    uint i [[thread_position_in_grid]]) {
  y[i] = x[min(order[i], 999u)];
}
// Twenty threadgroups of one thread: the grid has one row.
// kernel: narrow_groups
// grid: 20
// threadgroup: 1 64
// in 0: uint 1000*0
kernel void narrow_groups(device uint* x, uint i [[thread_position_in_grid]]) { x[0] = i; }
