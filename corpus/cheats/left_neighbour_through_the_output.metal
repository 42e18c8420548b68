// task: wave3d
// class: races
// caught: lanes
//
// Each thread leaves its cell in the output, and the thread on its right takes it from there, without a
// barrier: right only while the lanes of a simdgroup run together.
#include <metal_stdlib>
using namespace metal;

// One leapfrog step of the wave equation, one cell per thread; the faces keep their values.
kernel void wave_step(device const float* u_prev [[buffer(0)]],
                      device const float* u_curr [[buffer(1)]],
                      device volatile float* u_next [[buffer(2)]],
                      constant uint& NX [[buffer(3)]],
                      constant uint& NY [[buffer(4)]],
                      constant uint& NZ [[buffer(5)]],
                      constant float& alpha [[buffer(6)]],
                      uint3 cell [[thread_position_in_grid]],
                      uint3 local [[thread_position_in_threadgroup]]) {
  const uint i = cell.x;
  const uint j = cell.y;
  const uint k = cell.z;
  if (i >= NX || j >= NY || k >= NZ) return;

  const uint row = NX;
  const uint layer = NX * NY;
  const uint at = k * layer + j * row + i;
  const float c = u_curr[at];
  u_next[at] = c;
  if (i == 0 || j == 0 || k == 0 || i == NX - 1 || j == NY - 1 || k == NZ - 1) return;
  const float left = local.x == 0 ? u_curr[at - 1] : u_next[at - 1];
  const float around = left + u_curr[at + 1] + u_curr[at - row] + u_curr[at + row] +
                       u_curr[at - layer] + u_curr[at + layer];
  u_next[at] = 2.0f * c - u_prev[at] + alpha * (around - 6.0f * c);
}
