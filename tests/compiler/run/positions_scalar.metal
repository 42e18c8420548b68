// Every position that may be a scalar, as uint and as ushort.
#include <metal_stdlib>
using namespace metal;

// kernel: as_uint
// grid: 10
// threadgroup: 4
// out 0: uint 0..9
// out 1: uint 0..3 0..3 0 1
// out 2: uint 0..3 0..3 0 1
// out 3: uint 4*0 4*1 2*2
// out 4: uint 10*10
// out 5: uint 10*3
// out 6: uint 8*4 2*2
// out 7: uint 10*4
kernel void as_uint(device uint* a [[buffer(0)]], device uint* b [[buffer(1)]],
                    device uint* c [[buffer(2)]], device uint* d [[buffer(3)]],
                    device uint* e [[buffer(4)]], device uint* f [[buffer(5)]],
                    device uint* g [[buffer(6)]], device uint* h [[buffer(7)]],
                    uint in_grid [[thread_position_in_grid]],
                    uint in_group [[thread_position_in_threadgroup]],
                    uint index [[thread_index_in_threadgroup]],
                    uint group [[threadgroup_position_in_grid]],
                    uint per_grid [[threads_per_grid]],
                    uint groups [[threadgroups_per_grid]],
                    uint per_group [[threads_per_threadgroup]],
                    uint dispatched [[dispatch_threads_per_threadgroup]]) {
  a[in_grid] = in_grid;
  b[in_grid] = in_group;
  c[in_grid] = index;
  d[in_grid] = group;
  e[in_grid] = per_grid;
  f[in_grid] = groups;
  g[in_grid] = per_group;
  h[in_grid] = dispatched;
}

// kernel: as_ushort
// grid: 6
// threadgroup: 4
// out 0: ushort 0 0 0 0 6 2 4 4
// out 0: ushort 1 1 1 0 6 2 4 4
// out 0: ushort 2 2 2 0 6 2 4 4
// out 0: ushort 3 3 3 0 6 2 4 4
// out 0: ushort 4 0 0 1 6 2 2 4
// out 0: ushort 5 1 1 1 6 2 2 4
kernel void as_ushort(device ushort* out [[buffer(0)]],
                      ushort in_grid [[thread_position_in_grid]],
                      ushort in_group [[thread_position_in_threadgroup]],
                      ushort index [[thread_index_in_threadgroup]],
                      ushort group [[threadgroup_position_in_grid]],
                      ushort per_grid [[threads_per_grid]],
                      ushort groups [[threadgroups_per_grid]],
                      ushort per_group [[threads_per_threadgroup]],
                      ushort dispatched [[dispatch_threads_per_threadgroup]]) {
  device ushort* mine = out + 8 * in_grid;
  mine[0] = in_grid;
  mine[1] = in_group;
  mine[2] = index;
  mine[3] = group;
  mine[4] = per_grid;
  mine[5] = groups;
  mine[6] = per_group;
  mine[7] = dispatched;
}
