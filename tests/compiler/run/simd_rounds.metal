// Lanes that part within one round of a loop meet again before the next one.
#include <metal_stdlib>
using namespace metal;

// kernel: part_at_the_end
// grid: 32
// threadgroup: 32
// out 0: uint 32*96
// out 1: uint 32*48
// in 0: uint 32*0
// in 1: uint 32*0
kernel void part_at_the_end(device uint* all [[buffer(0)]], device uint* some [[buffer(1)]],
                            uint lane [[thread_index_in_simdgroup]]) {
  uint a = 0, b = 0;
  for (int round = 0; round < 3; ++round) {
    a += simd_sum(1u);
    if (lane % 2 == 0) b += simd_sum(1u);
  }
  all[lane] = a;
  some[lane] = lane % 2 == 0 ? b : 48;
}

// kernel: go_on_early
// grid: 32
// threadgroup: 32
// in 0: uint 4
// out 1: uint 32*128
// out 2: uint 8*32 24*0
kernel void go_on_early(constant uint& rounds [[buffer(0)]], device uint* all [[buffer(1)]],
                        device uint* some [[buffer(2)]],
                        uint lane [[thread_index_in_simdgroup]]) {
  uint a = 0, b = 0;
  for (uint round = 0; round < rounds; ++round) {
    a += simd_sum(1u);
    if (lane >= 8) continue;
    b += simd_sum(1u);
  }
  all[lane] = a;
  some[lane] = b;
}

// kernel: inner_loops
// grid: 32
// threadgroup: 32
// in 0: uint 2
// out 1: uint 8*64 8*88 8*96 8*98
kernel void inner_loops(constant uint& rounds [[buffer(0)]], device uint* out [[buffer(1)]],
                        uint lane [[thread_index_in_simdgroup]]) {
  uint sum = 0;
  for (uint round = 0; round < rounds; ++round) {
    uint trip = 0;
    do {
      sum += simd_sum(1u) >> trip;
    } while (trip++ < lane / 8);
  }
  out[lane] = sum;
}

// kernel: beside_a_barrier
// grid: 32
// threadgroup: 32
// in 0: uint 4
// out 1: uint 32*128
kernel void beside_a_barrier(constant uint& rounds [[buffer(0)]], device uint* out [[buffer(1)]],
                             uint lane [[thread_index_in_simdgroup]]) {
  uint a = 0;
  for (uint round = 0; round < rounds; ++round) {
    a += simd_sum(1u);
    if (lane > 4) simdgroup_barrier(mem_flags::mem_none);  // expect: barrier_divergence
  }
  out[lane] = a;
}
