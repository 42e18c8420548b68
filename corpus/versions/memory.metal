// Address spaces and what may lie in them. README.md explains the lines that begin a source.
// --- threadgroup_matrix: none | no matching constructor for initialization of
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float4x4 m;
  out[i] = 0;
}

// --- threadgroup_matrices: none | no matching constructor for initialization of
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup half4x4 m[4];
  out[i] = 0;
}

// --- threadgroup_struct_with_matrix: none | no matching constructor for initialization of
#include <metal_stdlib>
using namespace metal;
struct Pose {
  float3x3 turn;
  float time;
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup Pose pose;
  out[i] = 0;
}

// --- threadgroup_structs_with_matrix: none | no matching constructor for initialization of
#include <metal_stdlib>
using namespace metal;
struct Pose {
  float time;
  half2x2 turns[2];
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup Pose poses[8];
  out[i] = 0;
}

// --- threadgroup_columns: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float4 columns[4];
  columns[i & 3] = float4(1);
  out[i] = 0;
}

// --- threadgroup_matrix_argument: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(threadgroup float4x4* m [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]]) {
  m[i][0] = float4(0);
}

// --- threadgroup_matrix_reference: ..
#include <metal_stdlib>
using namespace metal;
void clear(threadgroup float4x4& m) { m[0] = float4(0); }
kernel void k(threadgroup float4x4* m [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]]) {
  clear(m[i]);
}

// --- thread_matrix: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2x2 m = float2x2(out[i]);
  out[i] = m[1][1];
}

// --- device_matrix: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device float4x4* m [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  m[i][0] = float4(1);
}

// --- coherent_device: metal3.2.. | Apple6 | coherent
#include <metal_stdlib>
using namespace metal;
kernel void k(coherent(device) device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = 1;
}

// --- coherent_alone: metal3.2.. | Apple6 | coherent
#include <metal_stdlib>
using namespace metal;
kernel void k(coherent device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = 1;
}

// --- volatile_device: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(volatile device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = 1;
}

// --- placement_new: metal4.1.. | new
#include <metal_stdlib>
using namespace metal;
struct P {
  float x;
  P(float v) thread : x(v) {}
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  P p = P(1);
  new (&p) P(2);
  out[i] = p.x;
}

// --- new_with_allocation: none | new
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float* p = new float;
  out[i] = 0;
}

// --- large_constant: ..
#include <metal_stdlib>
using namespace metal;
constant float table[4] = {1, 2, 3, 4};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = table[i & 3];
}

// --- global_without_constant: none | program scope variable must reside in constant address space
#include <metal_stdlib>
using namespace metal;
float table[4] = {1, 2, 3, 4};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = table[i & 3];
}
