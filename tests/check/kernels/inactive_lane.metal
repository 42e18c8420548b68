// Reads of lanes that do not take part.
#include <metal_stdlib>
using namespace metal;

// kernel: half_of_them_shuffle
// grid: 32
// threadgroup: 32
// in 0: uint 0..31
kernel void half_of_them_shuffle(device uint* x [[buffer(0)]],
                                 uint lane [[thread_index_in_simdgroup]]) {
  if (lane < 16) x[lane] = simd_shuffle_xor(x[lane], 16);  // expect: inactive_lane
}

// kernel: broadcast_of_one_that_left
// grid: 32
// threadgroup: 32
// in 0: uint 0..31
kernel void broadcast_of_one_that_left(device uint* x [[buffer(0)]],
                                       uint lane [[thread_index_in_simdgroup]]) {
  if (lane == 0) return;
  x[lane] = simd_broadcast(x[lane], 0);  // expect: inactive_lane
}

// kernel: threadgroup_of_twenty
// grid: 20
// threadgroup: 20
// in 0: float 20*1
kernel void threadgroup_of_twenty(device float* x [[buffer(0)]],
                                  uint lane [[thread_index_in_simdgroup]]) {
  float sum = x[lane];
  for (ushort distance = 16; distance > 0; distance /= 2)
    sum += simd_shuffle_down(sum, distance);  // expect: inactive_lane
  x[lane] = sum;
}

// kernel: neighbour_after_the_guard
// grid: 32
// threadgroup: 32
// in 0: uint 0..31
// in 1: uint 30
kernel void neighbour_after_the_guard(device uint* x [[buffer(0)]], constant uint& n [[buffer(1)]],
                                      uint lane [[thread_index_in_simdgroup]]) {
  if (lane >= n) return;
  x[lane] = simd_shuffle_down(x[lane], 1);  // expect: inactive_lane
}

// kernel: in_a_loop_of_different_lengths
// grid: 32
// threadgroup: 32
// in 0: uint 0..31
kernel void in_a_loop_of_different_lengths(device uint* x [[buffer(0)]],
                                           uint lane [[thread_index_in_simdgroup]]) {
  uint value = lane;
  for (uint k = 0; k < lane / 8; ++k) value += simd_shuffle(value, lane ^ 24);  // expect: inactive_lane
  x[lane] = value;
}

// kernel: quad_without_its_first
// grid: 16
// threadgroup: 16
// in 0: uint 0..15
kernel void quad_without_its_first(device uint* x [[buffer(0)]],
                                   uint i [[thread_position_in_threadgroup]]) {
  if (i % 4 == 0) return;
  x[i] = quad_broadcast(x[i], 0);  // expect: inactive_lane
}

// kernel: rotates_into_the_others
// grid: 32
// threadgroup: 32
// in 0: float 32*2
kernel void rotates_into_the_others(device float* x [[buffer(0)]],
                                    uint lane [[thread_index_in_simdgroup]]) {
  float value = x[lane];
  if (lane & 1)
    value = simd_shuffle_rotate_down(value, 1);  // expect: inactive_lane
  x[lane] = value + float(lane);
}

// kernel: data_picks_the_lane
// grid: 32
// threadgroup: 32
// in 0: uint 31..0
// in 1: uint 32*0
kernel void data_picks_the_lane(device const uint* x [[buffer(0)]], device uint* y [[buffer(1)]],
                                uint lane [[thread_index_in_simdgroup]]) {
  if (x[lane] > 3) y[lane] = simd_shuffle(lane, ushort(x[lane]));  // expect: inactive_lane
}
