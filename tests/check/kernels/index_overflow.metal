// Indices whose arithmetic wraps around.
#include <metal_stdlib>
using namespace metal;

// kernel: row_times_width
// grid: 4
// threadgroup: 4
// in 0: float 64*1
// in 1: uint 70000
kernel void row_times_width(device float* x [[buffer(0)]], constant uint& width [[buffer(1)]],
                            uint i [[thread_position_in_grid]]) {
  const uint row = i * 30000;
  x[row * width] += 1;  // expect: index_overflow out_of_bounds
}

// kernel: sum_past_the_top
// grid: 4
// threadgroup: 4
// in 0: uint 16*0
// in 1: uint 2147483654
kernel void sum_past_the_top(device uint* x [[buffer(0)]], constant uint& first [[buffer(1)]],
                             uint i [[thread_position_in_grid]]) {
  x[first * 2 + i] = i;  // expect: index_overflow
}

// kernel: signed_product
// grid: 4
// threadgroup: 4
// in 0: int 16*0
// in 1: int 50000
kernel void signed_product(device int* x [[buffer(0)]], constant int& stride [[buffer(1)]],
                           uint i [[thread_position_in_grid]]) {
  const int row = int(i) * stride;
  x[row * stride] += 1;  // expect: index_overflow signed_overflow
}

// kernel: three_dimensions
// grid: 2 2 2
// threadgroup: 2 2 2
// in 0: float 8*0
// in 1: uint 1 65536 65537
kernel void three_dimensions(device float* x [[buffer(0)]], device const uint* n [[buffer(1)]],
                             uint3 p [[thread_position_in_grid]]) {
  const uint at = (p.z * n[2] + p.y) * n[1] + p.x;
  x[at] += 1;  // expect: index_overflow out_of_bounds
}

// kernel: scaled_to_words
// grid: 4
// threadgroup: 4
// in 0: uint 64*0
// in 1: uint 1073741826
kernel void scaled_to_words(device uint* x [[buffer(0)]], constant uint& first [[buffer(1)]],
                            uint i [[thread_position_in_grid]]) {
  x[first * 4 + i] = 1;  // expect: index_overflow
}

// kernel: tile_of_a_large_row
// grid: 8
// threadgroup: 8
// in 0: uint 8*0
// in 1: uint 858993460
kernel void tile_of_a_large_row(device uint* x [[buffer(0)]], constant uint& pitch [[buffer(1)]],
                                uint i [[thread_position_in_threadgroup]]) {
  threadgroup uint tile[16];
  tile[i] = i;
  tile[i + 8] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = tile[pitch * 5 + i];  // expect: index_overflow
}

// kernel: batch_offset
// grid: 4
// threadgroup: 4
// in 0: float 16*1
// in 1: uint 131072
// in 2: float 16*1
kernel void batch_offset(device const float* x [[buffer(0)]], constant uint& size [[buffer(1)]],
                         device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  device const float* batch = x + size * size * (i / 2);  // x[0] once more
  y[i] = batch[i];  // expect: index_overflow
}

uint cell(uint3 p, uint side) { return (p.z * side + p.y) * side + p.x; }

// kernel: in_a_helper
// grid: 4
// threadgroup: 4
// in 0: uint 16*0
// in 1: uint 92682
kernel void in_a_helper(device uint* x [[buffer(0)]], constant uint& side [[buffer(1)]],
                        uint i [[thread_position_in_grid]]) {
  x[cell(uint3(i, 0, i), side)] = i + 1;  // expect: index_overflow
}
