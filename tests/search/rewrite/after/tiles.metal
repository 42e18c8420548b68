#include <metal_stdlib>
using namespace metal;

kernel void sums(device const float4* x [[buffer(0)]], device float* y [[buffer(1)]],
                 device const float* w [[buffer(2)]], constant uint& n [[buffer(3)]],
                 uint tile_lane [[thread_index_in_threadgroup]],
    uint tile_threads [[threads_per_threadgroup]],
    uint i_thread [[thread_position_in_grid]]) {
  const uint i = min(i_thread, n - 1);
  const float4 own = x[i];
  float sum = 0.0f;
  threadgroup float w_tile[128];
  threadgroup float4 x_tile[128];
  for (uint j_tile = 1; j_tile < n; j_tile += 128) {
    const uint j_end = min(n, j_tile + 128);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint tile_at = tile_lane; j_tile + tile_at < j_end; tile_at += tile_threads) {
      w_tile[tile_at] = w[j_tile + tile_at];
      x_tile[tile_at] = x[j_tile + tile_at];
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = j_tile; j < j_end; ++j) {
      if (j == i) continue;
      sum += w_tile[j - j_tile] * dot(x_tile[j - j_tile], own) + w[j - 1];
    }
  }
  if (i_thread >= n) return;
  y[i] = sum;
}

kernel void writes_first(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                         constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  y[i] = 0.0f;
  float sum = 0.0f;
  for (uint j = 0; j < n; ++j) sum += x[j];
  y[i] += sum;
}

kernel void writes_inside(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                          constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  for (uint j = 0; j < n; ++j) y[i] += x[j];
}

kernel void differs_by_thread(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                              constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  const uint end = i + 1;
  float sum = 0.0f;
  for (uint j = 0; j < end; ++j) sum += x[j];
  for (uint j = i; j < n; ++j) sum += x[j];
  y[i] = sum;
}

kernel void is_left_early(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                          constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  float sum = 0.0f;
  for (uint j = 0; j < n; ++j) {
    if (x[j] < 0.0f) break;
    sum += x[j];
  }
  y[i] = sum;
}
