// Positions that count simdgroups and quadgroups, in a whole threadgroup and a smaller one.
#include <metal_stdlib>
using namespace metal;

// kernel: of_simdgroups
// grid: 70
// threadgroup: 40
// out 0: uint 0 0 2 2 32 32 0 0 10 10
// out 0: uint 1 0 2 2 32 32 1 0 10 10
// out 0: uint 2 0 2 2 32 32 2 0 10 10
// out 0: uint 3 0 2 2 32 32 3 0 10 10
// out 0: uint 4 0 2 2 32 32 0 1 10 10
// out 0: uint 5 0 2 2 32 32 1 1 10 10
// out 0: uint 6 0 2 2 32 32 2 1 10 10
// out 0: uint 7 0 2 2 32 32 3 1 10 10
// out 0: uint 8 0 2 2 32 32 0 2 10 10
// out 0: uint 9 0 2 2 32 32 1 2 10 10
// out 0: uint 10 0 2 2 32 32 2 2 10 10
// out 0: uint 11 0 2 2 32 32 3 2 10 10
// out 0: uint 12 0 2 2 32 32 0 3 10 10
// out 0: uint 13 0 2 2 32 32 1 3 10 10
// out 0: uint 14 0 2 2 32 32 2 3 10 10
// out 0: uint 15 0 2 2 32 32 3 3 10 10
// out 0: uint 16 0 2 2 32 32 0 4 10 10
// out 0: uint 17 0 2 2 32 32 1 4 10 10
// out 0: uint 18 0 2 2 32 32 2 4 10 10
// out 0: uint 19 0 2 2 32 32 3 4 10 10
// out 0: uint 20 0 2 2 32 32 0 5 10 10
// out 0: uint 21 0 2 2 32 32 1 5 10 10
// out 0: uint 22 0 2 2 32 32 2 5 10 10
// out 0: uint 23 0 2 2 32 32 3 5 10 10
// out 0: uint 24 0 2 2 32 32 0 6 10 10
// out 0: uint 25 0 2 2 32 32 1 6 10 10
// out 0: uint 26 0 2 2 32 32 2 6 10 10
// out 0: uint 27 0 2 2 32 32 3 6 10 10
// out 0: uint 28 0 2 2 32 32 0 7 10 10
// out 0: uint 29 0 2 2 32 32 1 7 10 10
// out 0: uint 30 0 2 2 32 32 2 7 10 10
// out 0: uint 31 0 2 2 32 32 3 7 10 10
// out 0: uint 0 1 2 2 32 32 0 8 10 10
// out 0: uint 1 1 2 2 32 32 1 8 10 10
// out 0: uint 2 1 2 2 32 32 2 8 10 10
// out 0: uint 3 1 2 2 32 32 3 8 10 10
// out 0: uint 4 1 2 2 32 32 0 9 10 10
// out 0: uint 5 1 2 2 32 32 1 9 10 10
// out 0: uint 6 1 2 2 32 32 2 9 10 10
// out 0: uint 7 1 2 2 32 32 3 9 10 10
// out 0: uint 0 0 1 2 32 32 0 0 8 10
// out 0: uint 1 0 1 2 32 32 1 0 8 10
// out 0: uint 2 0 1 2 32 32 2 0 8 10
// out 0: uint 3 0 1 2 32 32 3 0 8 10
// out 0: uint 4 0 1 2 32 32 0 1 8 10
// out 0: uint 5 0 1 2 32 32 1 1 8 10
// out 0: uint 6 0 1 2 32 32 2 1 8 10
// out 0: uint 7 0 1 2 32 32 3 1 8 10
// out 0: uint 8 0 1 2 32 32 0 2 8 10
// out 0: uint 9 0 1 2 32 32 1 2 8 10
// out 0: uint 10 0 1 2 32 32 2 2 8 10
// out 0: uint 11 0 1 2 32 32 3 2 8 10
// out 0: uint 12 0 1 2 32 32 0 3 8 10
// out 0: uint 13 0 1 2 32 32 1 3 8 10
// out 0: uint 14 0 1 2 32 32 2 3 8 10
// out 0: uint 15 0 1 2 32 32 3 3 8 10
// out 0: uint 16 0 1 2 32 32 0 4 8 10
// out 0: uint 17 0 1 2 32 32 1 4 8 10
// out 0: uint 18 0 1 2 32 32 2 4 8 10
// out 0: uint 19 0 1 2 32 32 3 4 8 10
// out 0: uint 20 0 1 2 32 32 0 5 8 10
// out 0: uint 21 0 1 2 32 32 1 5 8 10
// out 0: uint 22 0 1 2 32 32 2 5 8 10
// out 0: uint 23 0 1 2 32 32 3 5 8 10
// out 0: uint 24 0 1 2 32 32 0 6 8 10
// out 0: uint 25 0 1 2 32 32 1 6 8 10
// out 0: uint 26 0 1 2 32 32 2 6 8 10
// out 0: uint 27 0 1 2 32 32 3 6 8 10
// out 0: uint 28 0 1 2 32 32 0 7 8 10
// out 0: uint 29 0 1 2 32 32 1 7 8 10
kernel void of_simdgroups(device uint* out [[buffer(0)]],
    uint i [[thread_position_in_grid]],
    uint p0 [[thread_index_in_simdgroup]],
    uint p1 [[simdgroup_index_in_threadgroup]],
    uint p2 [[simdgroups_per_threadgroup]],
    uint p3 [[dispatch_simdgroups_per_threadgroup]],
    uint p4 [[threads_per_simdgroup]],
    uint p5 [[thread_execution_width]],
    uint p6 [[thread_index_in_quadgroup]],
    uint p7 [[quadgroup_index_in_threadgroup]],
    uint p8 [[quadgroups_per_threadgroup]],
    uint p9 [[dispatch_quadgroups_per_threadgroup]]) {
  out += 10 * i;
  out[0] = p0;
  out[1] = p1;
  out[2] = p2;
  out[3] = p3;
  out[4] = p4;
  out[5] = p5;
  out[6] = p6;
  out[7] = p7;
  out[8] = p8;
  out[9] = p9;
}

// kernel: of_simdgroups_short
// grid: 70
// threadgroup: 40
// out 0: ushort 0 0 2 2 32 32 0 0 10 10
// out 0: ushort 1 0 2 2 32 32 1 0 10 10
// out 0: ushort 2 0 2 2 32 32 2 0 10 10
// out 0: ushort 3 0 2 2 32 32 3 0 10 10
// out 0: ushort 4 0 2 2 32 32 0 1 10 10
// out 0: ushort 5 0 2 2 32 32 1 1 10 10
// out 0: ushort 6 0 2 2 32 32 2 1 10 10
// out 0: ushort 7 0 2 2 32 32 3 1 10 10
// out 0: ushort 8 0 2 2 32 32 0 2 10 10
// out 0: ushort 9 0 2 2 32 32 1 2 10 10
// out 0: ushort 10 0 2 2 32 32 2 2 10 10
// out 0: ushort 11 0 2 2 32 32 3 2 10 10
// out 0: ushort 12 0 2 2 32 32 0 3 10 10
// out 0: ushort 13 0 2 2 32 32 1 3 10 10
// out 0: ushort 14 0 2 2 32 32 2 3 10 10
// out 0: ushort 15 0 2 2 32 32 3 3 10 10
// out 0: ushort 16 0 2 2 32 32 0 4 10 10
// out 0: ushort 17 0 2 2 32 32 1 4 10 10
// out 0: ushort 18 0 2 2 32 32 2 4 10 10
// out 0: ushort 19 0 2 2 32 32 3 4 10 10
// out 0: ushort 20 0 2 2 32 32 0 5 10 10
// out 0: ushort 21 0 2 2 32 32 1 5 10 10
// out 0: ushort 22 0 2 2 32 32 2 5 10 10
// out 0: ushort 23 0 2 2 32 32 3 5 10 10
// out 0: ushort 24 0 2 2 32 32 0 6 10 10
// out 0: ushort 25 0 2 2 32 32 1 6 10 10
// out 0: ushort 26 0 2 2 32 32 2 6 10 10
// out 0: ushort 27 0 2 2 32 32 3 6 10 10
// out 0: ushort 28 0 2 2 32 32 0 7 10 10
// out 0: ushort 29 0 2 2 32 32 1 7 10 10
// out 0: ushort 30 0 2 2 32 32 2 7 10 10
// out 0: ushort 31 0 2 2 32 32 3 7 10 10
// out 0: ushort 0 1 2 2 32 32 0 8 10 10
// out 0: ushort 1 1 2 2 32 32 1 8 10 10
// out 0: ushort 2 1 2 2 32 32 2 8 10 10
// out 0: ushort 3 1 2 2 32 32 3 8 10 10
// out 0: ushort 4 1 2 2 32 32 0 9 10 10
// out 0: ushort 5 1 2 2 32 32 1 9 10 10
// out 0: ushort 6 1 2 2 32 32 2 9 10 10
// out 0: ushort 7 1 2 2 32 32 3 9 10 10
// out 0: ushort 0 0 1 2 32 32 0 0 8 10
// out 0: ushort 1 0 1 2 32 32 1 0 8 10
// out 0: ushort 2 0 1 2 32 32 2 0 8 10
// out 0: ushort 3 0 1 2 32 32 3 0 8 10
// out 0: ushort 4 0 1 2 32 32 0 1 8 10
// out 0: ushort 5 0 1 2 32 32 1 1 8 10
// out 0: ushort 6 0 1 2 32 32 2 1 8 10
// out 0: ushort 7 0 1 2 32 32 3 1 8 10
// out 0: ushort 8 0 1 2 32 32 0 2 8 10
// out 0: ushort 9 0 1 2 32 32 1 2 8 10
// out 0: ushort 10 0 1 2 32 32 2 2 8 10
// out 0: ushort 11 0 1 2 32 32 3 2 8 10
// out 0: ushort 12 0 1 2 32 32 0 3 8 10
// out 0: ushort 13 0 1 2 32 32 1 3 8 10
// out 0: ushort 14 0 1 2 32 32 2 3 8 10
// out 0: ushort 15 0 1 2 32 32 3 3 8 10
// out 0: ushort 16 0 1 2 32 32 0 4 8 10
// out 0: ushort 17 0 1 2 32 32 1 4 8 10
// out 0: ushort 18 0 1 2 32 32 2 4 8 10
// out 0: ushort 19 0 1 2 32 32 3 4 8 10
// out 0: ushort 20 0 1 2 32 32 0 5 8 10
// out 0: ushort 21 0 1 2 32 32 1 5 8 10
// out 0: ushort 22 0 1 2 32 32 2 5 8 10
// out 0: ushort 23 0 1 2 32 32 3 5 8 10
// out 0: ushort 24 0 1 2 32 32 0 6 8 10
// out 0: ushort 25 0 1 2 32 32 1 6 8 10
// out 0: ushort 26 0 1 2 32 32 2 6 8 10
// out 0: ushort 27 0 1 2 32 32 3 6 8 10
// out 0: ushort 28 0 1 2 32 32 0 7 8 10
// out 0: ushort 29 0 1 2 32 32 1 7 8 10
kernel void of_simdgroups_short(device ushort* out [[buffer(0)]],
    uint i [[thread_position_in_grid]],
    ushort p0 [[thread_index_in_simdgroup]],
    ushort p1 [[simdgroup_index_in_threadgroup]],
    ushort p2 [[simdgroups_per_threadgroup]],
    ushort p3 [[dispatch_simdgroups_per_threadgroup]],
    ushort p4 [[threads_per_simdgroup]],
    ushort p5 [[thread_execution_width]],
    ushort p6 [[thread_index_in_quadgroup]],
    ushort p7 [[quadgroup_index_in_threadgroup]],
    ushort p8 [[quadgroups_per_threadgroup]],
    ushort p9 [[dispatch_quadgroups_per_threadgroup]]) {
  out += 10 * i;
  out[0] = p0;
  out[1] = p1;
  out[2] = p2;
  out[3] = p3;
  out[4] = p4;
  out[5] = p5;
  out[6] = p6;
  out[7] = p7;
  out[8] = p8;
  out[9] = p9;
}
