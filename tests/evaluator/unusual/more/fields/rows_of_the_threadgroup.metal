// task: gradshaf
//
// Threads go along rows, and a loop of one thread ends the reduction.
#include <metal_stdlib>
using namespace metal;

[[max_total_threads_per_threadgroup(256)]]
kernel void gradshaf_axis_reduce(device const float* psi [[buffer(0)]], device float* psi_axis [[buffer(1)]],
                                 constant uint& NR [[buffer(2)]], constant uint& NZ [[buffer(3)]],
                                 uint t [[thread_position_in_threadgroup]],
                                 uint threads [[threads_per_threadgroup]]) {
  threadgroup float highest[256];
  float mine = -INFINITY;
  for (uint j = 1; j + 1 < NZ; ++j)
    for (uint i = 1 + t; i + 1 < NR; i += threads) mine = fmax(mine, psi[j * NR + i]);
  highest[t] = mine;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t != 0) return;
  for (uint k = 1; k < threads; ++k) mine = fmax(mine, highest[k]);
  *psi_axis = mine;
}

kernel void gradshaf_step(device const float* psi_in [[buffer(0)]], device float* psi_out [[buffer(1)]],
                          device const float* psi_axis [[buffer(2)]], constant uint& NR [[buffer(3)]],
                          constant uint& NZ [[buffer(4)]], constant float& Rmin [[buffer(5)]],
                          constant float& dR [[buffer(6)]], constant float& dZ [[buffer(7)]],
                          constant float& p_axis [[buffer(8)]], constant float& mu0 [[buffer(9)]],
                          constant float& omega [[buffer(10)]], uint2 point [[thread_position_in_grid]]) {
  const uint i = point.x, j = point.y;
  if (i >= NR || j >= NZ) return;
  const uint at = j * NR + i;
  const float c = psi_in[at];
  float result = c;
  if (i > 0 && j > 0 && i + 1 < NR && j + 1 < NZ) {
    const float R = fma(float(i), dR, Rmin), r2 = 1.0f / (dR * dR), z2 = 1.0f / (dZ * dZ), slope = 0.5f / (R * dR);
    const float sides = (r2 + slope) * psi_in[at - 1] + (r2 - slope) * psi_in[at + 1];
    const float ends = z2 * (psi_in[at - NR] + psi_in[at + NR]);
    const float centre = -2.0f * (r2 + z2);
    const float n = c / *psi_axis;
    float current = 0.0f;
    if (n > 0.0f && n < 1.0f) current = 4.0f * R * p_axis * n * (1.0f - n);
    result += omega * (-mu0 * R * current - (sides + ends + centre * c)) / centre;
  }
  psi_out[at] = result;
}
