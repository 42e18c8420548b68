// Vectors and words where their types cannot lie.
#include <metal_stdlib>
using namespace metal;

// kernel: float4_at_any_float
// grid: 4
// threadgroup: 4
// in 0: float 0..15
// in 1: float 16*0
kernel void float4_at_any_float(device const float* x [[buffer(0)]], device float4* y [[buffer(1)]],
                                uint i [[thread_position_in_grid]]) {
  y[i] = *(device const float4*)(x + i);  // expect: misaligned
}

// kernel: float2_store_at_odd
// grid: 4
// threadgroup: 4
// in 0: float 16*0
kernel void float2_store_at_odd(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  *(device float2*)(y + 4 * i + 1) = float2(i, 1);  // expect: misaligned
}

// kernel: word_among_bytes
// grid: 4
// threadgroup: 4
// in 0: uchar 0..31
// in 1: uint 4*0
kernel void word_among_bytes(device const uchar* x [[buffer(0)]], device uint* y [[buffer(1)]],
                             uint i [[thread_position_in_grid]]) {
  y[i] = *(device const uint*)(x + 4 * i + 2);  // expect: misaligned
}

// kernel: vector_of_a_tile
// grid: 8
// threadgroup: 8
// in 0: float 0..7
// in 1: float 32*0
kernel void vector_of_a_tile(device const float* x [[buffer(0)]], device float4* y [[buffer(1)]],
                             uint i [[thread_position_in_threadgroup]]) {
  threadgroup float tile[12];
  tile[i] = x[i];
  if (i < 4) tile[8 + i] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup const float* row = tile + i;
  y[i] = *(threadgroup const float4*)row;  // expect: misaligned
}

// kernel: bound_between_vectors
// grid: 2
// threadgroup: 2
// in 0: float 0..15
// in 1 at 8: float 16*0
kernel void bound_between_vectors(device const float4* x [[buffer(0)]],
                                  device float4* y [[buffer(1)]],
                                  uint i [[thread_position_in_grid]]) {
  y[i] = x[i];  // expect: misaligned
}

// kernel: half4_of_halves
// grid: 4
// threadgroup: 4
// in 0: half 0..15
// in 1: half 16*0
kernel void half4_of_halves(device const half* x [[buffer(0)]], device half4* y [[buffer(1)]],
                            uint i [[thread_position_in_grid]]) {
  y[i] = *reinterpret_cast<device const half4*>(x + 3 * i);  // expect: misaligned
}

struct Particle {
  packed_float3 position;
  uint kind;
  packed_float3 velocity;
};

// kernel: vector_inside_a_packed_structure
// grid: 4
// threadgroup: 4
// in 0: uint 0..27
// in 1: float 16*0
kernel void vector_inside_a_packed_structure(device const Particle* x [[buffer(0)]],
                                             device float4* y [[buffer(1)]],
                                             uint i [[thread_position_in_grid]]) {
  device const Particle* particle = x + i;
  y[i] = *(device const float4*)particle;  // expect: misaligned
}

// kernel: counter_between_words
// grid: 4
// threadgroup: 4
// in 0: uint 8*0
kernel void counter_between_words(device uchar* x [[buffer(0)]],
                                  uint i [[thread_position_in_grid]]) {
  device atomic_uint* counter = (device atomic_uint*)(x + 6);
  atomic_fetch_add_explicit(counter, i, memory_order_relaxed);  // expect: misaligned
}

struct Words {
  uint a, b, c, d, e;
};

struct Vector {
  float4 all;
};

// kernel: structure_into_a_variable
// grid: 4
// threadgroup: 4
// in 0: uchar 0..99
// in 1: uint 4*0
kernel void structure_into_a_variable(device const uchar* bytes [[buffer(0)]],
                                      device uint* y [[buffer(1)]],
                                      uint i [[thread_position_in_grid]]) {
  const Words words = *(device const Words*)(bytes + 1 + 20 * i);  // expect: misaligned
  y[i] = words.b + words.e;
}

uint sum_of(Words words) { return words.a + words.c; }

// kernel: structure_as_an_argument
// grid: 4
// threadgroup: 4
// in 0: uchar 0..99
// in 1: uint 4*0
kernel void structure_as_an_argument(device const uchar* bytes [[buffer(0)]],
                                     device uint* y [[buffer(1)]],
                                     uint i [[thread_position_in_grid]]) {
  device const Words* words = (device const Words*)(bytes + 2);
  y[i] = sum_of(words[i]);  // expect: misaligned
}

// kernel: structure_between_buffers
// grid: 4
// threadgroup: 4
// in 0: float 0..31
// in 1: float 20*0
kernel void structure_between_buffers(device const Vector* x [[buffer(0)]],
                                      device float* y [[buffer(1)]],
                                      uint i [[thread_position_in_grid]]) {
  *(device Vector*)(y + 1 + 4 * i) = x[i];  // expect: misaligned
}

// kernel: structure_into_a_tile
// grid: 4
// threadgroup: 4
// in 0: uint 0..19
// in 1: uchar 96*0
kernel void structure_into_a_tile(device const Words* x [[buffer(0)]],
                                  device uchar* y [[buffer(1)]],
                                  uint i [[thread_position_in_threadgroup]]) {
  threadgroup uchar tile[96];
  for (uint k = 0; k < 24; ++k) tile[24 * i + k] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup Words* words = (threadgroup Words*)(tile + 3);
  words[i] = x[i];  // expect: misaligned
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 0; k < 24; ++k) y[24 * i + k] = tile[24 * i + k];
}

// kernel: structure_into_private_bytes
// grid: 4
// threadgroup: 4
// in 0: uint 0..19
// in 1: uint 4*0
kernel void structure_into_private_bytes(device const Words* x [[buffer(0)]],
                                         device uint* y [[buffer(1)]],
                                         uint i [[thread_position_in_grid]]) {
  uchar bytes[24] = {};
  thread Words* words = (thread Words*)(bytes + (i & 3));
  *words = x[i];  // expect: misaligned
  y[i] = bytes[7];
}

// kernel: structure_of_zeros
// grid: 4
// threadgroup: 4
// in 0: uchar 96*1
kernel void structure_of_zeros(device uchar* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  *(device Words*)(y + 2 + 20 * i) = Words{};  // expect: misaligned
}

// kernel: structure_through_a_private_pointer
// grid: 4
// threadgroup: 4
// in 0: uint 0..3
// in 1: uint 20*0
kernel void structure_through_a_private_pointer(device const uint* x [[buffer(0)]],
                                                device Words* y [[buffer(1)]],
                                                uint i [[thread_position_in_grid]]) {
  uchar bytes[24];
  for (uint k = 0; k < 24; ++k) bytes[k] = uchar(x[i] + k);
  thread const Words* words = (thread const Words*)(bytes + (x[i] & 3));
  y[i] = *words;  // expect: misaligned
}
