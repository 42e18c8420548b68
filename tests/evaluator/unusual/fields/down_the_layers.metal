// task: wave3d
//
// A thread goes down four layers and keeps the cells above and below in registers.
#include <metal_stdlib>
using namespace metal;

kernel void wave_step(device const float* u_prev [[buffer(0)]], device const float* u_curr [[buffer(1)]],
                      device float* u_next [[buffer(2)]], constant uint& NX [[buffer(3)]],
                      constant uint& NY [[buffer(4)]], constant uint& NZ [[buffer(5)]],
                      constant float& alpha [[buffer(6)]], uint3 cell [[thread_position_in_grid]]) {
  if (any(cell.xy >= uint2(NX, NY)) || cell.z % 4 != 0) return;
  const uint layer = NX * NY;
  uint at = cell.z * layer + cell.y * NX + cell.x;
  const bool is_edge = cell.x == 0 || cell.y == 0 || cell.x == NX - 1 || cell.y == NY - 1;
  const uint end = min(cell.z + 4, NZ);
  float below = cell.z == 0 ? 0.0f : u_curr[at - layer];
  float c = cell.z < NZ ? u_curr[at] : 0.0f;
  for (uint k = cell.z; k < end; ++k, at += layer) {
    const float above = k + 1 < NZ ? u_curr[at + layer] : 0.0f;
    float next = c;
    if (!is_edge && k != 0 && k != NZ - 1) {
      const float around = u_curr[at - 1] + u_curr[at + 1] + u_curr[at - NX] + u_curr[at + NX] + below + above;
      next = 2.0f * c - u_prev[at] + alpha * (around - 6.0f * c);
    }
    u_next[at] = next;
    below = c;
    c = above;
  }
}
