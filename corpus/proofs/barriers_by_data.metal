// Barriers that data decides about: nothing is certain about what they order.
// claims by_thread: barriers unknown; races line unknown
// claims for_all: barriers proved; races line unknown
// claims in_no_iteration: barriers proved; races line unknown
// claims in_some_iterations: barriers proved; races line unknown
// claims either_way: barriers unknown; races line unknown
// claims both_ways: barriers proved; races line proved
// claims too_late: barriers proved; races line refuted 67
// kernel: by_thread
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 128*9
// kernel: for_all
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 128*9
#include <metal_stdlib>
using namespace metal;

kernel void by_thread(device uint* x, device const uint* data,
                      uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint line[64];
  line[t] = t;
  if (data[t] > 5) threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[63 - t];
}

kernel void for_all(device uint* x, device const uint* data,
                    uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint line[64];
  line[t] = t;
  if (data[0] > 5) threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[63 - t];
}
// kernel: in_no_iteration
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 128*9
kernel void in_no_iteration(device uint* x, device const uint* data,
                            uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint line[64];
  line[t] = t;
  for (uint k = 0; k < data[0]; ++k) threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[63 - t];
}
// kernel: in_some_iterations
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 128*9
kernel void in_some_iterations(device uint* x, device const uint* data,
                               uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint line[64];
  for (uint k = 0; k < 4096; ++k) {
    if (k % 4 == 0) line[t] = k;
    if (k % 2 == 1) threadgroup_barrier(mem_flags::mem_threadgroup);
    if (k % 4 == 2) x[t] = line[63 - t];
  }
}
// The threads race before the barrier that only the data can leave out.
kernel void too_late(device uint* x, device const uint* data,
                     uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint line[64];
  line[t / 2] = t;
  if (data[0] > 5) threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = t;
}
// kernel: too_late
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 128*9
// kernel: either_way
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 128*9
kernel void either_way(device uint* x, device const uint* data,
                       uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint line[64];
  line[t] = t;
  if (t < 16 || data[0] > 5) threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[63 - t];
}
// Some threads look at data before they come to the barrier.
// kernel: both_ways
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 128*9
kernel void both_ways(device uint* x, device const uint* data,
                      uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint line[64];
  line[t] = t;
  if (t < 16 || data[t] < 5 || t > 15) threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[63 - t];
}
