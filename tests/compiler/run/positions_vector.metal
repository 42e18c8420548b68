// Every position as a vector, in grids whose edge threadgroups are smaller.
#include <metal_stdlib>
using namespace metal;

// kernel: as_uint2
// grid: 5 3
// threadgroup: 2 2
// out 0: uint 0 0 0 0 0 0 5 3 3 2 2 2 2 2 0
// out 0: uint 1 0 1 0 0 0 5 3 3 2 2 2 2 2 1
// out 0: uint 2 0 0 0 1 0 5 3 3 2 2 2 2 2 0
// out 0: uint 3 0 1 0 1 0 5 3 3 2 2 2 2 2 1
// out 0: uint 4 0 0 0 2 0 5 3 3 2 1 2 2 2 0
// out 0: uint 0 1 0 1 0 0 5 3 3 2 2 2 2 2 2
// out 0: uint 1 1 1 1 0 0 5 3 3 2 2 2 2 2 3
// out 0: uint 2 1 0 1 1 0 5 3 3 2 2 2 2 2 2
// out 0: uint 3 1 1 1 1 0 5 3 3 2 2 2 2 2 3
// out 0: uint 4 1 0 1 2 0 5 3 3 2 1 2 2 2 1
// out 0: uint 0 2 0 0 0 1 5 3 3 2 2 1 2 2 0
// out 0: uint 1 2 1 0 0 1 5 3 3 2 2 1 2 2 1
// out 0: uint 2 2 0 0 1 1 5 3 3 2 2 1 2 2 0
// out 0: uint 3 2 1 0 1 1 5 3 3 2 2 1 2 2 1
// out 0: uint 4 2 0 0 2 1 5 3 3 2 1 1 2 2 0
kernel void as_uint2(device uint* out [[buffer(0)]],
    uint2 in_grid [[thread_position_in_grid]],
    uint2 in_group [[thread_position_in_threadgroup]],
    uint2 group [[threadgroup_position_in_grid]],
    uint2 per_grid [[threads_per_grid]],
    uint2 groups [[threadgroups_per_grid]],
    uint2 per_group [[threads_per_threadgroup]],
    uint2 dispatched [[dispatch_threads_per_threadgroup]],
    uint index [[thread_index_in_threadgroup]]) {
  device uint* mine = out + 15 * (in_grid.y * per_grid.x + in_grid.x);
  for (int i = 0; i < 2; ++i) {
    mine[0 + i] = in_grid[i];
    mine[2 + i] = in_group[i];
    mine[4 + i] = group[i];
    mine[6 + i] = per_grid[i];
    mine[8 + i] = groups[i];
    mine[10 + i] = per_group[i];
    mine[12 + i] = dispatched[i];
  }
  mine[14] = index;
}

// kernel: as_uint3
// grid: 3 2 3
// threadgroup: 2 2 2
// out 0: uint 0 0 0 0 0 0 0 0 0 3 2 3 2 1 2 2 2 2 2 2 2 0
// out 0: uint 1 0 0 1 0 0 0 0 0 3 2 3 2 1 2 2 2 2 2 2 2 1
// out 0: uint 2 0 0 0 0 0 1 0 0 3 2 3 2 1 2 1 2 2 2 2 2 0
// out 0: uint 0 1 0 0 1 0 0 0 0 3 2 3 2 1 2 2 2 2 2 2 2 2
// out 0: uint 1 1 0 1 1 0 0 0 0 3 2 3 2 1 2 2 2 2 2 2 2 3
// out 0: uint 2 1 0 0 1 0 1 0 0 3 2 3 2 1 2 1 2 2 2 2 2 1
// out 0: uint 0 0 1 0 0 1 0 0 0 3 2 3 2 1 2 2 2 2 2 2 2 4
// out 0: uint 1 0 1 1 0 1 0 0 0 3 2 3 2 1 2 2 2 2 2 2 2 5
// out 0: uint 2 0 1 0 0 1 1 0 0 3 2 3 2 1 2 1 2 2 2 2 2 2
// out 0: uint 0 1 1 0 1 1 0 0 0 3 2 3 2 1 2 2 2 2 2 2 2 6
// out 0: uint 1 1 1 1 1 1 0 0 0 3 2 3 2 1 2 2 2 2 2 2 2 7
// out 0: uint 2 1 1 0 1 1 1 0 0 3 2 3 2 1 2 1 2 2 2 2 2 3
// out 0: uint 0 0 2 0 0 0 0 0 1 3 2 3 2 1 2 2 2 1 2 2 2 0
// out 0: uint 1 0 2 1 0 0 0 0 1 3 2 3 2 1 2 2 2 1 2 2 2 1
// out 0: uint 2 0 2 0 0 0 1 0 1 3 2 3 2 1 2 1 2 1 2 2 2 0
// out 0: uint 0 1 2 0 1 0 0 0 1 3 2 3 2 1 2 2 2 1 2 2 2 2
// out 0: uint 1 1 2 1 1 0 0 0 1 3 2 3 2 1 2 2 2 1 2 2 2 3
// out 0: uint 2 1 2 0 1 0 1 0 1 3 2 3 2 1 2 1 2 1 2 2 2 1
kernel void as_uint3(device uint* out [[buffer(0)]],
    uint3 in_grid [[thread_position_in_grid]],
    uint3 in_group [[thread_position_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]],
    uint3 per_grid [[threads_per_grid]],
    uint3 groups [[threadgroups_per_grid]],
    uint3 per_group [[threads_per_threadgroup]],
    uint3 dispatched [[dispatch_threads_per_threadgroup]],
    uint index [[thread_index_in_threadgroup]]) {
  device uint* mine = out + 22 * ((in_grid.z * per_grid.y + in_grid.y) * per_grid.x + in_grid.x);
  for (int i = 0; i < 3; ++i) {
    mine[0 + i] = in_grid[i];
    mine[3 + i] = in_group[i];
    mine[6 + i] = group[i];
    mine[9 + i] = per_grid[i];
    mine[12 + i] = groups[i];
    mine[15 + i] = per_group[i];
    mine[18 + i] = dispatched[i];
  }
  mine[21] = index;
}

// kernel: as_ushort2
// grid: 3 3
// threadgroup: 2 2
// out 0: ushort 0 0 0 0 0 0 3 3 2 2 2 2 2 2 0
// out 0: ushort 1 0 1 0 0 0 3 3 2 2 2 2 2 2 1
// out 0: ushort 2 0 0 0 1 0 3 3 2 2 1 2 2 2 0
// out 0: ushort 0 1 0 1 0 0 3 3 2 2 2 2 2 2 2
// out 0: ushort 1 1 1 1 0 0 3 3 2 2 2 2 2 2 3
// out 0: ushort 2 1 0 1 1 0 3 3 2 2 1 2 2 2 1
// out 0: ushort 0 2 0 0 0 1 3 3 2 2 2 1 2 2 0
// out 0: ushort 1 2 1 0 0 1 3 3 2 2 2 1 2 2 1
// out 0: ushort 2 2 0 0 1 1 3 3 2 2 1 1 2 2 0
kernel void as_ushort2(device ushort* out [[buffer(0)]],
    ushort2 in_grid [[thread_position_in_grid]],
    ushort2 in_group [[thread_position_in_threadgroup]],
    ushort2 group [[threadgroup_position_in_grid]],
    ushort2 per_grid [[threads_per_grid]],
    ushort2 groups [[threadgroups_per_grid]],
    ushort2 per_group [[threads_per_threadgroup]],
    ushort2 dispatched [[dispatch_threads_per_threadgroup]],
    ushort index [[thread_index_in_threadgroup]]) {
  device ushort* mine = out + 15 * (in_grid.y * per_grid.x + in_grid.x);
  for (int i = 0; i < 2; ++i) {
    mine[0 + i] = in_grid[i];
    mine[2 + i] = in_group[i];
    mine[4 + i] = group[i];
    mine[6 + i] = per_grid[i];
    mine[8 + i] = groups[i];
    mine[10 + i] = per_group[i];
    mine[12 + i] = dispatched[i];
  }
  mine[14] = index;
}

// kernel: as_ushort3
// grid: 3 2 2
// threadgroup: 2 1 2
// out 0: ushort 0 0 0 0 0 0 0 0 0 3 2 2 2 2 1 2 1 2 2 1 2 0
// out 0: ushort 1 0 0 1 0 0 0 0 0 3 2 2 2 2 1 2 1 2 2 1 2 1
// out 0: ushort 2 0 0 0 0 0 1 0 0 3 2 2 2 2 1 1 1 2 2 1 2 0
// out 0: ushort 0 1 0 0 0 0 0 1 0 3 2 2 2 2 1 2 1 2 2 1 2 0
// out 0: ushort 1 1 0 1 0 0 0 1 0 3 2 2 2 2 1 2 1 2 2 1 2 1
// out 0: ushort 2 1 0 0 0 0 1 1 0 3 2 2 2 2 1 1 1 2 2 1 2 0
// out 0: ushort 0 0 1 0 0 1 0 0 0 3 2 2 2 2 1 2 1 2 2 1 2 2
// out 0: ushort 1 0 1 1 0 1 0 0 0 3 2 2 2 2 1 2 1 2 2 1 2 3
// out 0: ushort 2 0 1 0 0 1 1 0 0 3 2 2 2 2 1 1 1 2 2 1 2 1
// out 0: ushort 0 1 1 0 0 1 0 1 0 3 2 2 2 2 1 2 1 2 2 1 2 2
// out 0: ushort 1 1 1 1 0 1 0 1 0 3 2 2 2 2 1 2 1 2 2 1 2 3
// out 0: ushort 2 1 1 0 0 1 1 1 0 3 2 2 2 2 1 1 1 2 2 1 2 1
kernel void as_ushort3(device ushort* out [[buffer(0)]],
    ushort3 in_grid [[thread_position_in_grid]],
    ushort3 in_group [[thread_position_in_threadgroup]],
    ushort3 group [[threadgroup_position_in_grid]],
    ushort3 per_grid [[threads_per_grid]],
    ushort3 groups [[threadgroups_per_grid]],
    ushort3 per_group [[threads_per_threadgroup]],
    ushort3 dispatched [[dispatch_threads_per_threadgroup]],
    ushort index [[thread_index_in_threadgroup]]) {
  device ushort* mine = out + 22 * ((in_grid.z * per_grid.y + in_grid.y) * per_grid.x + in_grid.x);
  for (int i = 0; i < 3; ++i) {
    mine[0 + i] = in_grid[i];
    mine[3 + i] = in_group[i];
    mine[6 + i] = group[i];
    mine[9 + i] = per_grid[i];
    mine[12 + i] = groups[i];
    mine[15 + i] = per_group[i];
    mine[18 + i] = dispatched[i];
  }
  mine[21] = index;
}
