// task: gradshaf
//
// An atomic maximum of integers that are ordered as the real numbers are.
#include <metal_stdlib>
using namespace metal;

uint ordered(float value) {
  const uint bits = as_type<uint>(value);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

float real_of(uint number) { return as_type<float>(number >> 31 ? number & 0x7FFFFFFFu : ~number); }

[[max_total_threads_per_threadgroup(256)]]
kernel void gradshaf_axis_reduce(device const float* psi [[buffer(0)]],
                                 device float* psi_axis [[buffer(1)]],
                                 constant uint& NR [[buffer(2)]],
                                 constant uint& NZ [[buffer(3)]],
                                 uint t [[thread_position_in_threadgroup]],
                                 uint threads [[threads_per_threadgroup]]) {
  threadgroup atomic_uint largest;
  if (t == 0) atomic_store_explicit(&largest, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint j = 1; j + 1 < NZ; ++j)
    for (uint i = 1 + t; i + 1 < NR; i += threads)
      atomic_fetch_max_explicit(&largest, ordered(psi[j * NR + i]), memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) psi_axis[0] = real_of(atomic_load_explicit(&largest, memory_order_relaxed));
}

// One relaxation step, one point per thread; the edges keep their values.
kernel void gradshaf_step(device const float* psi_in [[buffer(0)]],
                          device float* psi_out [[buffer(1)]],
                          device const float* psi_axis [[buffer(2)]],
                          constant uint& NR [[buffer(3)]],
                          constant uint& NZ [[buffer(4)]],
                          constant float& Rmin [[buffer(5)]],
                          constant float& dR [[buffer(6)]],
                          constant float& dZ [[buffer(7)]],
                          constant float& p_axis [[buffer(8)]],
                          constant float& mu0 [[buffer(9)]],
                          constant float& omega [[buffer(10)]],
                          uint2 point [[thread_position_in_grid]]) {
  const uint i = point.x;
  const uint j = point.y;
  if (i >= NR || j >= NZ) return;

  const uint at = j * NR + i;
  const float c = psi_in[at];
  if (i == 0 || j == 0 || i == NR - 1 || j == NZ - 1) {
    psi_out[at] = c;
    return;
  }

  const float R = Rmin + float(i) * dR;
  const float per_dR2 = 1.0f / (dR * dR);
  const float per_dZ2 = 1.0f / (dZ * dZ);
  const float slope = 0.5f / (R * dR);
  const float centre = -2.0f * per_dR2 - 2.0f * per_dZ2;
  const float operated = (per_dR2 + slope) * psi_in[at - 1] + (per_dR2 - slope) * psi_in[at + 1] +
                         per_dZ2 * psi_in[at - NR] + per_dZ2 * psi_in[at + NR] + centre * c;

  const float n = c / psi_axis[0];
  const float current = n > 0.0f && n < 1.0f ? R * p_axis * 4.0f * n * (1.0f - n) : 0.0f;
  const float source = -mu0 * R * current;
  psi_out[at] = c + omega * (source - operated) / centre;
}
