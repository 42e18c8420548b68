#include <metal_stdlib>
using namespace metal;

kernel void sums(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                 constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  const float own = x[i];
  float sum = 0.0f;
  for (uint j = 0; j < n; ++j) {
    const float d = x[j] - own;
    sum += d * d;
  }
  y[i] = sum;
}

kernel void leaves(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                   constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  for (uint j = 0; j < n; ++j) y[i] += x[j];
  if (x[i] == 0.0f) return;
  y[i] = 1.0f;
}

kernel void skips(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  for (uint j = 0; j < n; ++j) {
    if (j == i) continue;
    y[i] += x[j];
  }
}

kernel void has_no_guard(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                         constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  y[i] = 0.0f;
  for (uint j = 0; j < n; ++j) y[i] += x[j];
}

kernel void knows_its_lane(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                           constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]],
                           uint lane [[thread_index_in_simdgroup]]) {
  if (i >= n) return;
  for (uint j = 0; j < n; ++j) y[i] += x[j] * float(lane);
}
