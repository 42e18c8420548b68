// Only two components of a vector are set.
// missed by lint: the elements of arrays, records and vectors are not followed one by one
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float4 v;
  v.x = x[t];
  v.y = 2 * x[t];
  x[t] = v.x + v.y + v.z;  // check: uninitialised
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float4 v = float4(0);
  v.x = x[t];
  v.y = 2 * x[t];
  x[t] = v.x + v.y + v.z;
}
