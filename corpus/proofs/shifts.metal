// Shifts by numbers of threads, of the host and of the data.
// claims by_lane: bounds y proved
// claims by_thread: shifts refuted 49
// claims by_argument: shifts proved
// claims by_width: shifts refuted 57
// claims by_difference: shifts refuted 61
// claims to_both_sides: shifts proved
// claims by_data: shifts unknown
// claims by_masked_data: bounds y proved
// claims in_64_bits: shifts proved
// kernel: by_lane
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// kernel: by_thread
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// kernel: by_argument
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 31
// kernel: by_width
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 32
// kernel: by_difference
// grid: 64
// threadgroup: 32
// in 0: uint 64*1
// in 1: uint 31
// kernel: to_both_sides
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 5
// kernel: in_64_bits
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
#include <metal_stdlib>
using namespace metal;

kernel void by_lane(device uint* y, uint t [[thread_position_in_threadgroup]]) { y[t] = y[t] << (t % 32); }

kernel void by_thread(device uint* y, uint t [[thread_position_in_threadgroup]]) {
  y[t] = 1u << t;
}

kernel void by_argument(device uint* y, constant uint& n, uint t [[thread_position_in_threadgroup]]) {
  y[t] = t >> n;
}

kernel void by_width(device uint* y, constant uint& n, uint t [[thread_position_in_threadgroup]]) {
  y[t] = t >> n;
}

kernel void by_difference(device uint* y, constant uint& n, uint i [[thread_position_in_grid]]) {
  y[i] = 1u << (n - i);
}

kernel void to_both_sides(device uint* y, constant uint& n, uint t [[thread_position_in_threadgroup]]) {
  y[t] = t << n | t >> (32 - n);
}

// kernel: by_data
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
kernel void by_data(device uint* y, uint t [[thread_position_in_threadgroup]]) { y[t] = t >> y[t]; }

// kernel: by_masked_data
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
kernel void by_masked_data(device uint* y, uint t [[thread_position_in_threadgroup]]) { y[t] = t >> (y[t] & 31); }

kernel void in_64_bits(device ulong* y, uint t [[thread_position_in_threadgroup]]) {
  y[t / 2] = 1ul << t;
}
