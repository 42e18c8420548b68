// A helper writes behind an array that is a member of what its reference leads to.
// grid: 8
// threadgroup: 8
// in 0: uint 0..7
// out 1: float 8*0
#include <metal_stdlib>
using namespace metal;
struct Row {
  float cells[3];
  float scale;
};
float fill(thread Row& row, uint last) {
  for (uint k = 0; k <= last; ++k) row.cells[k] = float(k);  // lint: hazard.out_of_bounds; check: out_of_bounds
  return row.cells[0] + row.scale;
}
kernel void faulty(device const uint* n, device float* y, uint i [[thread_position_in_grid]]) {
  Row row;
  row.scale = 2;
  for (uint k = 0; k < 3; ++k) row.cells[k] = 1;
  y[i] = fill(row, min(n[i], 3u));
}
float fill_inside(thread Row& row, uint last) {
  for (uint k = 0; k <= last; ++k) row.cells[k] = float(k);
  return row.cells[0] + row.scale;
}
kernel void fixed(device const uint* n, device float* y, uint i [[thread_position_in_grid]]) {
  Row row;
  row.scale = 2;
  for (uint k = 0; k < 3; ++k) row.cells[k] = 1;
  y[i] = fill_inside(row, min(n[i], 2u));
}
