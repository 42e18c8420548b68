// Copies of structures at addresses that their alignment divides, and at others.
// claims behind_a_byte: bounds bytes refuted 37; bounds y proved; races y proved
// claims behind_a_word: bounds bytes proved; bounds y proved; races y proved
// claims into_a_tile: bounds x proved; bounds tile refuted 50; bounds y proved
// claims from_private_bytes: bounds indices of arrays and vectors refuted 58; bounds y proved
// claims of_packed_vectors: bounds x proved; bounds y proved; races y proved
// kernel: behind_a_byte
// grid: 64
// threadgroup: 64
// in 0: uchar 1284*1
// in 1: uint 320*0
// kernel: behind_a_word
// grid: 64
// threadgroup: 64
// in 0: uchar 1284*1
// in 1: uint 320*0
// kernel: into_a_tile
// grid: 32
// threadgroup: 32
// in 0: float 64*1
// in 1: float 66*0
// kernel: from_private_bytes
// grid: 4
// threadgroup: 4
// in 0: uint 8*0
// kernel: of_packed_vectors
// grid: 32
// threadgroup: 32
// in 0: float 97*1
// in 1: float 98*0
#include <metal_stdlib>
using namespace metal;
struct Record {
  uint a, b, c, d, e;
};
kernel void behind_a_byte(device const uchar* bytes, device Record* y, uint i [[thread_position_in_grid]]) {
  y[i] = *(device const Record*)(bytes + 1 + 20 * i);
}
kernel void behind_a_word(device const uchar* bytes, device Record* y, uint i [[thread_position_in_grid]]) {
  y[i] = *(device const Record*)(bytes + 4 + 20 * i);
}
struct Pair {
  float2 both;
};
kernel void into_a_tile(device const Pair* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[66];
  for (uint k = t; k < 66; k += 32) tile[k] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup Pair* pairs = (threadgroup Pair*)(tile + 1);
  pairs[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = t; k < 66; k += 32) y[k] = tile[k];
}
kernel void from_private_bytes(device Pair* y, uint t [[thread_index_in_threadgroup]]) {
  uchar bytes[16];
  for (uint k = 0; k < 16; ++k) bytes[k] = uchar(t);
  thread const Pair* pair = (thread const Pair*)(bytes + t);
  y[t] = *pair;
}
struct Place {
  packed_float3 position;
};
kernel void of_packed_vectors(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  *(device Place*)(y + 2 + 3 * i) = *(device const Place*)(x + 1 + 3 * i);
}
