// Attributes wherever they may stand; names of attributes as names of variables.
#include <metal_stdlib>
using namespace metal;

struct Grid {
  uint2 size;
  float4 position;
};

[[max_total_threads_per_threadgroup(64)]]
kernel void before(device Grid* buffer [[buffer(0)]], constant uint& index [[buffer(1)]],
                   uint2 position [[thread_position_in_grid]], uint2 id [[thread_position_in_threadgroup]],
                   uint2 threadgroup_index [[threadgroup_position_in_grid]], uint2 user [[threads_per_grid]],
                   uint2 color [[threads_per_threadgroup]], uint2 grid_size [[threadgroups_per_grid]],
                   uint sample_id [[thread_index_in_threadgroup]]) {
  const uint kernel_index = position.x + id.y + threadgroup_index.x + user.y + color.x + grid_size.y;
  buffer[index].size = uint2(kernel_index, sample_id);
}
[[kernel]] [[max_total_threads_per_threadgroup(32)]] void two(device int* p [[buffer(0)]]) { p[0] = 1; }
[[kernel, max_total_threads_per_threadgroup(32)]] void one(device int* p [[buffer(0)]]) { p[0] = 1; }
__attribute__((max_total_threads_per_threadgroup(64))) kernel void gnu(device int* p [[buffer(0)]]) { p[0] = 1; }
kernel __attribute__((max_total_threads_per_threadgroup(64))) void gnu_behind(device int* p) { p[0] = 1; }
[[host_name("other")]] kernel void named(device int* p [[buffer(0)]], uint3 at [[thread_position_in_grid]]) {
  [[maybe_unused]] const int unused = 1;
  p[at.x] = 1;
}
static inline __attribute__((always_inline)) METAL_FUNC int helper(int i) { return i; }
kernel void restricted(device float* __restrict p [[buffer(0)]], const device float* __restrict q [[buffer(1)]]) {
  p[helper(0)] = q[0];
}
