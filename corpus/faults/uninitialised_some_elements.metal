// Only the first half of a private array is set, and all of it is added up.
// missed by lint: the elements of arrays, records and vectors are not followed one by one
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float row[8];
  for (uint k = 0; k < 4; ++k) row[k] = x[t] + float(k);
  float sum = 0;
  for (uint k = 0; k < 8; ++k) sum += row[k];  // check: uninitialised
  x[t] = sum;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float row[8];
  for (uint k = 0; k < 8; ++k) row[k] = x[t] + float(k);
  float sum = 0;
  for (uint k = 0; k < 8; ++k) sum += row[k];
  x[t] = sum;
}
