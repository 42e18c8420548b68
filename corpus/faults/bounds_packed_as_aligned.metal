// Packed triples are read as vectors of four words.
// missed by lint: where the number of bytes in a buffer or of threads in the grid matters, only the host knows it
// grid: 64
// threadgroup: 64
// in 0: float 192*1
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
using Triple = float3;
kernel void faulty(device const void* bytes, device float* y, uint t [[thread_index_in_threadgroup]]) {
  device const Triple* points = (device const Triple*)bytes;
  y[t] = points[t].x;  // check: out_of_bounds
}
using PackedTriple = packed_float3;
kernel void fixed(device const void* bytes, device float* y, uint t [[thread_index_in_threadgroup]]) {
  device const PackedTriple* points = (device const PackedTriple*)bytes;
  y[t] = points[t].x;
}
