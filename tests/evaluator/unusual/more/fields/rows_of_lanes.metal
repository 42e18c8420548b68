// task: wave3d
//
// A lane takes its neighbours along x from the lanes beside it if these are there.
#include <metal_stdlib>
using namespace metal;

kernel void wave_step(device const float* u_prev [[buffer(0)]], device const float* u_curr [[buffer(1)]],
                      device float* u_next [[buffer(2)]], constant uint& NX [[buffer(3)]],
                      constant uint& NY [[buffer(4)]], constant uint& NZ [[buffer(5)]],
                      constant float& alpha [[buffer(6)]],
                      uint3 cell [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]],
                      uint3 size [[threads_per_threadgroup]]) {
  const bool is_there = cell.x < NX && cell.y < NY && cell.z < NZ;
  const uint at = is_there ? (cell.z * NY + cell.y) * NX + cell.x : 0;
  const float c = u_curr[at];
  const float before = simd_shuffle_up(c, 1), behind = simd_shuffle_down(c, 1);
  if (!is_there) return;
  const bool on_face = cell.x == 0 || cell.y == 0 || cell.z == 0 || cell.x == NX - 1 || cell.y == NY - 1 ||
                       cell.z == NZ - 1;
  if (on_face) {
    u_next[at] = c;
    return;
  }
  const uint place = cell.x % size.x;
  const float left = lane > 0 && place > 0 ? before : u_curr[at - 1];
  const float right = lane < 31 && place + 1 < size.x ? behind : u_curr[at + 1];
  const float around = left + right + u_curr[at - NX] + u_curr[at + NX] + u_curr[at - NX * NY] + u_curr[at + NX * NY];
  u_next[at] = 2.0f * c - u_prev[at] + alpha * (around - 6.0f * c);
}
