// What GPU families have: functions of simdgroups and quadgroups, textures, limits. README.md explains the lines that begin
// a source.
// --- simd_product: .. | Apple7
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_product(x[i]);
}

// --- simd_min: .. | Apple7
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_min(x[i]);
}

// --- simd_max: .. | Apple7
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_max(x[i]);
}

// --- simd_prefix_sum: .. | Apple7
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_prefix_exclusive_sum(x[i]);
}

// --- simd_prefix_product: .. | Apple7
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_prefix_inclusive_product(x[i]);
}

// --- simd_and: .. | Apple7
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = float(simd_and(i));
}

// --- simd_or: .. | Apple7
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = float(simd_or(i));
}

// --- simd_xor: .. | Apple7
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = float(simd_xor(i));
}

// --- simd_broadcast: .. | Apple6
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_broadcast(x[i], 0);
}

// --- simd_broadcast_first: .. | Apple6
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_broadcast_first(x[i]);
}

// --- simd_shuffle_up: .. | Apple6
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_shuffle_up(x[i], 1);
}

// --- simd_shuffle_down: .. | Apple6
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_shuffle_down(x[i], 1);
}

// --- simd_shuffle_xor: .. | Apple6
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_shuffle_xor(x[i], 1);
}

// --- simd_shuffle_rotate: .. | Apple6
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_shuffle_rotate_down(x[i], 1);
}

// --- simd_fill_down: metal2.4.. | Apple8 | simd_shuffle_and_fill_down
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_shuffle_and_fill_down(x[i], x[0], 1);
}

// --- simd_fill_up: metal2.4.. | Apple8 | simd_shuffle_and_fill_up
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_shuffle_and_fill_up(x[i], x[0], 1);
}

// --- quad_broadcast: .. | Apple4
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = quad_broadcast(x[i], 0);
}

// --- quad_shuffle: .. | Apple4
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = quad_shuffle(x[i], 1);
}

// --- quad_shuffle_xor: .. | Apple4
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = quad_shuffle_xor(x[i], 1);
}

// --- quad_shuffle_up: .. | Apple4
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = quad_shuffle_up(x[i], 1);
}

// --- quad_any: .. | Apple6
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = quad_any(i > 2) ? 1.0f : 0.0f;
}

// --- quad_all: .. | Apple6
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = quad_all(i > 2) ? 1.0f : 0.0f;
}

// --- quad_sum: .. | Apple7
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = quad_sum(x[i]);
}

// --- quad_max: .. | Apple7
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = quad_max(x[i]);
}

// --- quad_and: .. | Apple7
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = float(quad_and(i));
}

// --- in_a_function: .. | Apple7
#include <metal_stdlib>
using namespace metal;
float total(float v) { return simd_sum(v); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = total(x[i]);
}

// --- in_a_template: .. | Apple7
#include <metal_stdlib>
using namespace metal;
template <typename T>
T total(T v) {
  return simd_sum(v);
}
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = total(x[i]);
}

// --- in_no_kernel: ..
#include <metal_stdlib>
using namespace metal;
float total(float v) { return simd_sum(v); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = 2.0f * x[i];
}

// --- under_a_function_constant: ..
#include <metal_stdlib>
using namespace metal;
constant bool wide [[function_constant(0)]];
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (wide) x[i] = simd_sum(x[i]);
}

// --- chosen_by_a_function_constant: ..
#include <metal_stdlib>
using namespace metal;
constant bool wide [[function_constant(0)]];
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = wide ? simd_sum(x[i]) : 0.0f;
}

// --- called_under_a_function_constant: ..
#include <metal_stdlib>
using namespace metal;
constant uint mode [[function_constant(0)]];
constant bool wide = mode == 2;
float total(float v) { return simd_sum(v); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (wide) x[i] = total(x[i]);
}

// --- under_a_condition_of_the_data: .. | Apple7
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], constant bool& wide [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  if (wide) x[i] = simd_sum(x[i]);
}

// --- under_a_version: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
#if __METAL_VERSION__ >= 230
  x[i] = simd_sum(x[i]);
#else
  x[i] = 0.0f;
#endif
}

// --- under_has_include: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
#if defined(__has_include) && __has_include(<metal_stdlib>)
  x[i] = simd_sum(x[i]);
#endif
}

// --- under_another_condition: .. | Apple7
#include <metal_stdlib>
using namespace metal;
#define SUMS 1
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
#if SUMS
  x[i] = simd_sum(x[i]);
#endif
}

// --- argument_under_a_function_constant: ..
#include <metal_stdlib>
using namespace metal;
constant bool wide [[function_constant(0)]];
kernel void k(device float* x [[buffer(0)]],
              texture2d<float, access::read_write> image [[texture(0), function_constant(wide)]],
              uint i [[thread_position_in_grid]]) {
  x[i] = 0.0f;
}

// --- threads_512: ..
#include <metal_stdlib>
using namespace metal;
[[max_total_threads_per_threadgroup(512)]]
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = 0.0f;
}

// --- threads_1024: .. | Apple4
#include <metal_stdlib>
using namespace metal;
[[max_total_threads_per_threadgroup(1024)]]
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = 0.0f;
}

// --- memory_16_352: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float4 rows[1022];
  rows[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = rows[i ^ 1];
}

// --- memory_16_384: .. | Apple3
#include <metal_stdlib>
using namespace metal;
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float4 rows[1024];
  rows[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = rows[i ^ 1];
}

// --- memory_32_768: .. | Apple4
#include <metal_stdlib>
using namespace metal;
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float4 rows[2048];
  rows[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = rows[i ^ 1];
}

// --- texture_30: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> image [[texture(30)]], device float4* x [[buffer(0)]],
              uint i [[thread_position_in_grid]]) {
  x[i] = image.read(uint2(i, 0));
}

// --- texture_31: .. | Apple4
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> image [[texture(31)]], device float4* x [[buffer(0)]],
              uint i [[thread_position_in_grid]]) {
  x[i] = image.read(uint2(i, 0));
}

// --- texture_95: .. | Apple4
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> image [[texture(95)]], device float4* x [[buffer(0)]],
              uint i [[thread_position_in_grid]]) {
  x[i] = image.read(uint2(i, 0));
}

// --- texture_96: .. | Apple6
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> image [[texture(96)]], device float4* x [[buffer(0)]],
              uint i [[thread_position_in_grid]]) {
  x[i] = image.read(uint2(i, 0));
}

// --- textures_in_an_array: .. | Apple6
#include <metal_stdlib>
using namespace metal;
kernel void k(array<texture2d<float>, 100> images [[texture(0)]], device float4* x [[buffer(0)]],
              uint i [[thread_position_in_grid]]) {
  x[i] = images[i].read(uint2(i, 0));
}

// --- ulong_sum: .. | Apple3
#include <metal_stdlib>
using namespace metal;
kernel void k(device ulong* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i] + x[i + 1];
}

// --- simdgroup_matrix: .. | Apple7
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  simdgroup_float8x8 m;
  simdgroup_load(m, x, 8);
  simdgroup_store(m, x, 8);
}

// --- acceleration_structure: .. | Apple6
#include <metal_stdlib>
using namespace metal;
using namespace raytracing;
kernel void k(instance_acceleration_structure scene [[buffer(0)]], device float* x [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  ray r;
  r.origin = float3(0);
  r.direction = float3(0, 0, 1);
  intersector<instancing> finder;
  x[i] = finder.intersect(r, scene).distance;
}
