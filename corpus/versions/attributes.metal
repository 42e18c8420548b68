// The first versions of attributes. README.md explains the lines that begin a source.
// --- function_constant: metal1.2.. | 'function_constant' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
constant int n [[function_constant(0)]];
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = n; }

// --- early_fragment_tests: metal1.2.. | 'early_fragment_tests' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
[[early_fragment_tests]] fragment float4 f() { return float4(1); }

// --- id: metal2.0.. | 'id' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
struct Arguments {
  device float* x [[id(0)]];
};
kernel void k(constant Arguments& a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a.x[i] = 1; }

// --- raster_order_group: metal2.0.. | 'raster_order_group' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
struct Arguments {
  float4 color;
};
fragment float4 f(device Arguments* a [[buffer(0), raster_order_group(0)]]) { return a[0].color; }

// --- thread_index_in_simdgroup: metal2.0.. | 'thread_index_in_simdgroup' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_simdgroup]]) { out[i] = 1; }

// --- simdgroup_index_in_threadgroup: metal2.0.. | 'simdgroup_index_in_threadgroup' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[simdgroup_index_in_threadgroup]]) { out[i] = 1; }

// --- simdgroups_per_threadgroup: metal2.0.. | 'simdgroups_per_threadgroup' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint n [[simdgroups_per_threadgroup]]) { out[0] = n; }

// --- threads_per_simdgroup: metal2.0.. | 'threads_per_simdgroup' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint n [[threads_per_simdgroup]]) { out[0] = n; }

// --- viewport_array_index: metal2.0.. | 'viewport_array_index' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
struct Drawn {
  float4 place [[position]];
  uint viewport [[viewport_array_index]];
};
vertex Drawn f(uint i [[vertex_id]]) { return Drawn{float4(i), 0}; }

// --- max_total_threads_per_threadgroup: metal2.1.. | 'max_total_threads_per_threadgroup' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
[[max_total_threads_per_threadgroup(64)]]
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = 1; }

// --- host_name: metal2.2.. | 'host_name' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
[[host_name("other")]] kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = 1; }

// --- barycentric_coord: metal2.2.. | 'barycentric_coord' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
fragment float4 f(float3 b [[barycentric_coord]]) { return float4(b, 1); }

// --- primitive_id: metal2.2.. | 'primitive_id' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
fragment float4 f(uint i [[primitive_id]]) { return float4(i); }

// --- amplification_id: metal2.2.. | 'amplification_id' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
vertex float4 f(uint i [[vertex_id]], uint view [[amplification_id]]) { return float4(i + view); }

// --- visible: metal2.3.. | 'visible' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
[[visible]] float twice(float x) { return 2 * x; }

// --- stitchable: metal2.3.. | 'stitchable' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
[[stitchable]] float twice(float x) { return 2 * x; }

// --- required_threads_per_threadgroup: metal4.0.. | 'required_threads_per_threadgroup' attribute requires Metal language standard
#include <metal_stdlib>
using namespace metal;
[[required_threads_per_threadgroup(8, 8, 1)]]
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) { out[i] = 1; }

// --- mesh: metal3.0.. | 'mesh' attribute requires Metal language standard metal3.0 or higher
[[mesh]] void m() {}

// --- object: metal3.0.. | 'object' attribute requires Metal language standard metal3.0 or higher
[[object]] void o() {}
