// Rows are read as vectors of four, though their length is no multiple of four. public bug: ggml, mul_mv
// missed by lint: where the number of bytes in a buffer or of threads in the grid matters, only the host knows it
// grid: 16
// threadgroup: 16
// in 0: float 1..61
// in 1: float 16*0
// in 2: uint 61
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const packed_float4* row, device float* y, constant uint& n,
                   uint t [[thread_index_in_threadgroup]]) {
  if (4 * t < n) y[t] = dot(float4(row[t]), float4(1));  // check: out_of_bounds
}
kernel void fixed(device const packed_float4* row, device float* y, constant uint& n,
                  uint t [[thread_index_in_threadgroup]]) {
  if (4 * t + 3 < n) y[t] = dot(float4(row[t]), float4(1));
}
