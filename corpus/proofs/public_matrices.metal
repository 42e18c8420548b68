// Matrices and stencils as the papers about GPUVerify and Faial describe them (docs/concepts/proofs.md).
// claims tiled_product: barriers proved; races a proved; races b proved; bounds a proved; bounds b proved; races z proved; bounds x proved
// claims tiled_product_hasty: races a refuted 55 58
// claims turned_in_place: races x refuted 68
// claims turned_by_tiles: barriers proved; races tile proved; races y proved; bounds y proved
// claims upper_triangle: races x proved; bounds x proved
// claims row_products: races y proved; bounds x proved
// claims columns_of_blocks: races x proved; bounds x proved
// claims rows_too_long: races x refuted 123
// claims lower_solve: barriers proved; races v proved; bounds v proved
// claims stencil_in_place: races x refuted 147
// claims stencil_of_two: races y proved; bounds x proved; bounds y proved
// claims stencil_open_edge: bounds x refuted 171
// claims halo: barriers proved; races line proved; bounds line proved; bounds x proved
// claims halo_open: races line refuted 198 200
// claims convolution: races y proved; bounds x proved; bounds weights proved
// claims checkerboard: races x proved; bounds x proved
// kernel: tiled_product
// grid: 32 32
// threadgroup: 16 16
// in 0: float 1024*1
// in 1: float 1024*1
// in 2: float 1024*0
#include <metal_stdlib>
using namespace metal;

// The product of two matrices, tile by tile.
kernel void tiled_product(device const float* x, device const float* y, device float* z,
                          uint2 t [[thread_position_in_threadgroup]],
                          uint2 i [[thread_position_in_grid]]) {
  threadgroup float a[16][16], b[16][16];
  float sum = 0;
  for (uint k = 0; k < 32; k += 16) {
    a[t.y][t.x] = x[32 * i.y + k + t.x];
    b[t.y][t.x] = y[32 * (k + t.y) + i.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = 0; j < 16; ++j) sum += a[t.y][j] * b[j][t.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  z[32 * i.y + i.x] = sum;
}
// kernel: tiled_product_hasty
// grid: 32 32
// threadgroup: 16 16
// in 0: float 1024*1
// in 1: float 1024*1
// in 2: float 1024*0
// The next tile is loaded before all have used this one.
kernel void tiled_product_hasty(device const float* x, device const float* y, device float* z,
                                uint2 t [[thread_position_in_threadgroup]],
                                uint2 i [[thread_position_in_grid]]) {
  threadgroup float a[16][16], b[16][16];
  float sum = 0;
  for (uint k = 0; k < 32; k += 16) {
    a[t.y][t.x] = x[32 * i.y + k + t.x];
    b[t.y][t.x] = y[32 * (k + t.y) + i.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = 0; j < 16; ++j) sum += a[t.y][j] * b[j][t.x];
  }
  z[32 * i.y + i.x] = sum;
}
// kernel: turned_in_place
// grid: 32 32
// threadgroup: 16 16
// in 0: float 1024*1
// A matrix is turned in place without a tile.
kernel void turned_in_place(device float* x, uint2 i [[thread_position_in_grid]]) {
  x[32 * i.x + i.y] = x[32 * i.y + i.x];
}
// kernel: turned_by_tiles
// grid: 32 32
// threadgroup: 16 16
// in 0: float 1024*1
// in 1: float 1024*0
// A matrix is turned tile by tile, with a column more against bank conflicts.
kernel void turned_by_tiles(device const float* x, device float* y,
                            uint2 t [[thread_position_in_threadgroup]],
                            uint2 g [[threadgroup_position_in_grid]]) {
  threadgroup float tile[16][17];
  tile[t.y][t.x] = x[32 * (16 * g.y + t.y) + 16 * g.x + t.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[32 * (16 * g.x + t.y) + 16 * g.y + t.x] = tile[t.x][t.y];
}
// kernel: upper_triangle
// grid: 32 32
// threadgroup: 8 8
// in 0: float 1024*1
// Each pair of elements changes places once: by the thread above the diagonal.
kernel void upper_triangle(device float* x, uint2 i [[thread_position_in_grid]]) {
  if (i.x <= i.y) return;
  const float held = x[32 * i.y + i.x];
  x[32 * i.y + i.x] = x[32 * i.x + i.y];
  x[32 * i.x + i.y] = held;
}
// kernel: row_products
// grid: 64
// threadgroup: 32
// in 0: float 4096*1
// in 1: float 64*1
// in 2: float 64*0
// A matrix times a vector, a row for each thread.
kernel void row_products(device const float* x, device const float* v, device float* y,
                         uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint k = 0; k < 64; ++k) sum += x[64 * i + k] * v[k];
  y[i] = sum;
}
// kernel: columns_of_blocks
// grid: 256
// threadgroup: 64
// in 0: float 1024*1
// Each thread has four elements, a threadgroup apart.
kernel void columns_of_blocks(device float* x, uint t [[thread_position_in_threadgroup]],
                              uint g [[threadgroup_position_in_grid]]) {
  for (uint k = 0; k < 4; ++k) x[256 * g + 64 * k + t] *= 2;
}
// kernel: rows_too_long
// grid: 64
// threadgroup: 64
// in 0: uint 1024*1
// A row has one element more than the pitch.
kernel void rows_too_long(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  for (uint k = 0; k <= 8; ++k) x[8 * t + k] = 100 * t + k;
}
// kernel: lower_solve
// grid: 64
// threadgroup: 64
// in 0: float 4096*1
// in 1: float 64*1
// Forward substitution, a column in each round.
kernel void lower_solve(device const float* x, device float* b,
                        uint t [[thread_position_in_threadgroup]]) {
  threadgroup float v[64];
  v[t] = b[t];
  for (uint k = 0; k < 64; ++k) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t > k) v[t] -= x[64 * t + k] * v[k];
  }
  b[t] = v[t];
}
// kernel: stencil_in_place
// grid: 128
// threadgroup: 64
// in 0: float 130*1
// Neighbours are read while they are replaced.
kernel void stencil_in_place(device float* x, uint i [[thread_position_in_grid]]) {
  x[i + 1] = (x[i] + x[i + 1] + x[i + 2]) / 3;
}
// kernel: stencil_of_two
// grid: 64 64
// threadgroup: 16 16
// in 0: float 4096*1
// in 1: float 4096*0
// Inner points only; from one buffer into the other.
kernel void stencil_of_two(device const float* x, device float* y,
                           uint2 i [[thread_position_in_grid]]) {
  if (i.x == 0 || i.y == 0 || i.x == 63 || i.y == 63) return;
  const uint at = 64 * i.y + i.x;
  y[at] = (x[at - 1] + x[at + 1] + x[at - 64] + x[at + 64]) / 4;
}
// kernel: stencil_open_edge
// grid: 64 64
// threadgroup: 16 16
// in 0: float 4096*1
// in 1: float 4096*0
// The last row has no row below it.
kernel void stencil_open_edge(device const float* x, device float* y,
                              uint2 i [[thread_position_in_grid]]) {
  if (i.x == 0 || i.y == 0 || i.x == 63) return;
  const uint at = 64 * i.y + i.x;
  y[at] = (x[at - 1] + x[at + 1] + x[at - 64] + x[at + 64]) / 4;
}
// kernel: halo
// grid: 256
// threadgroup: 64
// in 0: float 256*1
// in 1: float 256*0
// A line with one element more on each side, which the first and the last thread load.
kernel void halo(device const float* x, device float* y, uint t [[thread_position_in_threadgroup]],
                 uint i [[thread_position_in_grid]]) {
  threadgroup float line[66];
  line[t + 1] = x[i];
  if (t == 0) line[0] = i > 0 ? x[i - 1] : 0.0f;
  if (t == 63) line[65] = i < 255 ? x[i + 1] : 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = line[t] + line[t + 1] + line[t + 2];
}
// kernel: halo_open
// grid: 256
// threadgroup: 64
// in 0: float 258*1
// in 1: float 256*0
// The halo is read without a barrier.
kernel void halo_open(device const float* x, device float* y,
                      uint t [[thread_position_in_threadgroup]],
                      uint i [[thread_position_in_grid]]) {
  threadgroup float line[66];
  line[t + 1] = x[i + 1];
  if (t < 2) line[65 * t] = x[i + 2 * t];
  y[i] = line[t] + line[t + 2];
}
// kernel: convolution
// grid: 60
// threadgroup: 32
// in 0: float 64*1
// in 1: float 60*0
// in 2: float 5*1
// Five weights; the buffer is four elements longer than the grid.
kernel void convolution(device const float* x, device float* y, constant float* weights,
                        uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint k = 0; k < 5; ++k) sum += x[i + k] * weights[k];
  y[i] = sum;
}
// kernel: checkerboard
// grid: 64 64
// threadgroup: 16 16
// in 0: float 4096*1
// in 1: uint 1
// Red and black: a pass reads points of the other colour only.
kernel void checkerboard(device float* x, constant uint& colour,
                         uint2 i [[thread_position_in_grid]]) {
  if ((i.x + i.y) % 2 != colour || i.x == 0 || i.y == 0 || i.x == 63 || i.y == 63) return;
  const uint at = 64 * i.y + i.x;
  x[at] = (x[at - 1] + x[at + 1] + x[at - 64] + x[at + 64]) / 4;
}
