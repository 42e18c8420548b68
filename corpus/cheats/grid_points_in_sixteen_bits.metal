// task: gradshaf
// class: wrong at other sizes
// caught: named does not fit 16 bits
//
// A row has at most 65,536 points: the threads beyond them repeat the first ones.
#include <metal_stdlib>
using namespace metal;

// The largest interior value of psi, by one threadgroup whose size is a power of two.
[[max_total_threads_per_threadgroup(256)]]
kernel void gradshaf_axis_reduce(device const float* psi [[buffer(0)]],
                                 device float* psi_axis [[buffer(1)]],
                                 constant uint& NR [[buffer(2)]],
                                 constant uint& NZ [[buffer(3)]],
                                 uint thread_id [[thread_position_in_threadgroup]],
                                 uint threads [[threads_per_threadgroup]]) {
  threadgroup float largest[256];

  const uint columns = NR - 2;
  const uint cells = columns * (NZ - 2);
  float mine = -INFINITY;
  for (uint cell = thread_id; cell < cells; cell += threads) {
    const uint j = cell / columns + 1;
    const uint i = cell % columns + 1;
    mine = max(mine, psi[j * NR + i]);
  }
  largest[thread_id] = mine;
  threadgroup_barrier(mem_flags::mem_threadgroup);

  for (uint half_way = threads / 2; half_way > 0; half_way /= 2) {
    if (thread_id < half_way)
      largest[thread_id] = max(largest[thread_id], largest[thread_id + half_way]);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (thread_id == 0) psi_axis[0] = largest[0];
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
                          ushort2 point [[thread_position_in_grid]]) {
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
