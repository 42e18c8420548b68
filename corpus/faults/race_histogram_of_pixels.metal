// Pixels are counted with a plain increment. public bug: OpenCL histograms of images
// grid: 64
// threadgroup: 64
// in 0: uint 0..63
// in 1: uint 8*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* pixels, device uint* bins, uint t [[thread_position_in_grid]]) {
  bins[pixels[t] & 7] += 1;  // lint: hazard.lost_update; check: race
}
kernel void fixed(device const uint* pixels, device uint* bins, uint t [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit((device atomic_uint*)&bins[pixels[t] & 7], 1u, memory_order_relaxed);
}
