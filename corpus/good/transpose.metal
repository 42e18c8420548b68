// The transpose of a matrix, by way of a tile, so that both the reads and the writes of
// neighbouring threads are neighbours in memory.
#include <metal_stdlib>
using namespace metal;

constant uint tile_side = 32;

kernel void transpose(device const float* from [[buffer(0)]],
                      device float* to [[buffer(1)]],
                      constant uint& rows [[buffer(2)]],
                      constant uint& columns [[buffer(3)]],
                      uint2 group [[threadgroup_position_in_grid]],
                      uint2 t [[thread_position_in_threadgroup]],
                      uint2 size [[threads_per_threadgroup]]) {
  // Columns of the padded tile lie in different banks.
  threadgroup float tile[tile_side][tile_side + 1];

  // A threadgroup of any size covers the tile.
  const uint first_row = group.y * tile_side;
  const uint first_column = group.x * tile_side;
  for (uint y = t.y; y < tile_side; y += size.y)
    for (uint x = t.x; x < tile_side; x += size.x)
      if (first_row + y < rows && first_column + x < columns)
        tile[y][x] = from[(first_row + y) * columns + first_column + x];
  threadgroup_barrier(mem_flags::mem_threadgroup);

  for (uint y = t.y; y < tile_side; y += size.y)
    for (uint x = t.x; x < tile_side; x += size.x)
      if (first_column + y < columns && first_row + x < rows)
        to[(first_column + y) * rows + first_row + x] = tile[x][y];
}
