// One explicit step of the heat equation on a plane, five points. A threadgroup keeps its cells and
// their neighbours in a tile; the rim of the plane keeps its temperature.
#include <metal_stdlib>
using namespace metal;

constant uint most_side = 16;

[[max_total_threads_per_threadgroup(256)]]
kernel void heat_step(device const float* u_in [[buffer(0)]],
                      device float* u_out [[buffer(1)]],
                      constant uint& columns [[buffer(2)]],
                      constant uint& rows [[buffer(3)]],
                      constant float& alpha [[buffer(4)]],
                      uint2 at [[thread_position_in_grid]],
                      uint2 group [[threadgroup_position_in_grid]],
                      uint2 t [[thread_position_in_threadgroup]],
                      uint2 size [[threads_per_threadgroup]]) {
  threadgroup float tile[most_side + 2][most_side + 2];

  // The tile starts one cell up and to the left of the threadgroup's first.
  const int2 first = int2(group * size) - 1;
  const int2 last = int2(columns, rows) - 1;
  for (uint y = t.y; y < size.y + 2; y += size.y)
    for (uint x = t.x; x < size.x + 2; x += size.x) {
      const int2 cell = clamp(first + int2(x, y), int2(0), last);
      tile[y][x] = u_in[uint(cell.y) * columns + uint(cell.x)];
    }
  threadgroup_barrier(mem_flags::mem_threadgroup);

  if (at.x >= columns || at.y >= rows) return;
  const float mine = tile[t.y + 1][t.x + 1];
  const bool is_rim = at.x == 0 || at.y == 0 || at.x == columns - 1 || at.y == rows - 1;
  const float around = tile[t.y][t.x + 1] + tile[t.y + 2][t.x + 1] + tile[t.y + 1][t.x] +
                       tile[t.y + 1][t.x + 2];
  u_out[at.y * columns + at.x] = is_rim ? mine : fma(alpha, around - 4.0f * mine, mine);
}
