// Bins of a buffer are counted with plain additions.
// grid: 128
// threadgroup: 64
// in 0: uint 1..128
// in 1: uint 8*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* u, device uint* bins, uint i [[thread_position_in_grid]]) {
  bins[u[i] % 8] += 1;  // lint: hazard.lost_update; check: race
}
kernel void fixed(device const uint* u, device uint* bins, uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit((device atomic_uint*)&bins[u[i] % 8], 1u, memory_order_relaxed);
}
