// The first versions of types, functions and constructs. README.md explains the lines that begin a source.
// --- texture_buffer: metal2.1.. | texture_buffer
#include <metal_stdlib>
using namespace metal;
kernel void k(texture_buffer<float> t [[texture(0)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = t.read(i).x; }

// --- read_write: metal1.2.. | Apple4 | read_write
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float, access::read_write> t [[texture(0)]], uint2 i [[thread_position_in_grid]]) { t.write(t.read(i), i); }

// --- array_of_multisampled_textures: metal2.0.. | texture2d_ms_array
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d_ms_array<float> t [[texture(0)]], device float* out [[buffer(0)]], uint2 i [[thread_position_in_grid]]) { out[i.x] = t.read(i, 0, 0).x; }

// --- simd_broadcast: metal2.0.. | Apple6 | simd_broadcast
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = simd_broadcast(out[i], 0); }

// --- simd_sum: metal2.1.. | Apple7 | simd_sum
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = simd_sum(out[i]); }

// --- simd_prefix_sum: metal2.1.. | Apple7 | simd_prefix_exclusive_sum
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = simd_prefix_exclusive_sum(out[i]); }

// --- quad_sum: metal2.1.. | Apple7 | quad_sum
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = quad_sum(out[i]); }

// --- simd_shuffle_and_fill: metal2.4.. | Apple8 | simd_shuffle_and_fill_up
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = simd_shuffle_and_fill_up(out[i], 0.0f, 1); }

// --- simdgroup_matrix: metal2.3.. | Apple7 | simdgroup_float8x8
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]]) {
  simdgroup_float8x8 m = make_filled_simdgroup_matrix<float, 8, 8>(1);
  simdgroup_store(m, out, 8);
}

// --- atomic_bool: metal2.4.. | atomic_bool
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_bool* a [[buffer(0)]]) { atomic_store_explicit(a, true, memory_order_relaxed); }

// --- atomic_float: metal3.0.. | atomic_float
#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_float* a [[buffer(0)]]) { atomic_store_explicit(a, 1.0f, memory_order_relaxed); }

// --- mesh_grid: metal3.0.. | mesh_grid_properties
#include <metal_stdlib>
using namespace metal;
void f(thread mesh_grid_properties& g) { g.set_threadgroups_per_grid(uint3(1)); }

// --- bfloat_literal: metal3.1.. | invalid suffix 'bf' on floating constant
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float(1.0bf); }

// --- pointer_to_function: metal2.1.. | pointers to functions are not allowed
#include <metal_stdlib>
using namespace metal;
float twice(float x) { return 2 * x; }
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float (*f)(float) = twice;
  out[i] = f(1);
}

// --- recursion: metal2.4.. | recursive calls are not supported in Metal
#include <metal_stdlib>
using namespace metal;
uint product(uint n) { return n < 2 ? 1 : n * product(n - 1); }
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = product(i); }

// --- buffer_of_ulong: metal2.3.. | is not valid for attribute 'buffer'
#include <metal_stdlib>
using namespace metal;
kernel void k(device ulong* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = i; }

// --- union: metal1.2.. | unions are not supported in Metal
#include <metal_stdlib>
using namespace metal;
union Bits {
  float f;
  uint u;
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Bits b;
  b.u = i;
  out[i] = b.f;
}

