#include <metal_stdlib>
using namespace metal;

kernel void sums(device const float4* x [[buffer(0)]], device float* y [[buffer(1)]],
                 device const float* w [[buffer(2)]], constant uint& n [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  const float4 own = x[i];
  float sum = 0.0f;
  for (uint j = 1; j < n; ++j) {
    if (j == i) continue;
    sum += w[j] * dot(x[j], own) + w[j - 1];
  }
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
