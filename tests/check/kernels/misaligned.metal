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
