// An index behind a field's array reads the next field.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
struct Cell {
  float faces[4];
  float source;
};
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  Cell cell;
  for (uint k = 0; k < 4; ++k) cell.faces[k] = x[t] + float(k);
  cell.source = 7;
  float sum = cell.source;
  for (uint k = 0; k < 5; ++k) sum += cell.faces[k];  // lint: hazard.out_of_bounds; check: out_of_bounds
  x[t] = sum;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  Cell cell;
  for (uint k = 0; k < 4; ++k) cell.faces[k] = x[t] + float(k);
  cell.source = 7;
  float sum = cell.source;
  for (uint k = 0; k < 4; ++k) sum += cell.faces[k];
  x[t] = sum;
}
