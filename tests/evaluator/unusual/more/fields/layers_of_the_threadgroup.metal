// task: wave3d
//
// Keeps the threadgroup's cells in its memory; neighbours outside of it come from the device.
#include <metal_stdlib>
using namespace metal;

kernel void wave_step(device const float* u_prev [[buffer(0)]], device const float* u_curr [[buffer(1)]],
                      device float* u_next [[buffer(2)]], constant uint& NX [[buffer(3)]],
                      constant uint& NY [[buffer(4)]], constant uint& NZ [[buffer(5)]],
                      constant float& alpha [[buffer(6)]], uint3 cell [[thread_position_in_grid]],
                      uint3 t [[thread_position_in_threadgroup]], uint3 size [[threads_per_threadgroup]]) {
  threadgroup float held[1024];
  const uint mine = (t.z * size.y + t.y) * size.x + t.x, at = (cell.z * NY + cell.y) * NX + cell.x;
  const bool is_there = cell.x < NX && cell.y < NY && cell.z < NZ;
  const float c = is_there ? u_curr[at] : 0.0f;
  held[mine] = c;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (!is_there) return;
  if (cell.x == 0 || cell.y == 0 || cell.z == 0 || cell.x == NX - 1 || cell.y == NY - 1 || cell.z == NZ - 1) {
    u_next[at] = c;
    return;
  }
  float around = 0.0f;
  around += t.x > 0 ? held[mine - 1] : u_curr[at - 1];
  around += t.x + 1 < size.x ? held[mine + 1] : u_curr[at + 1];
  around += t.y > 0 ? held[mine - size.x] : u_curr[at - NX];
  around += t.y + 1 < size.y ? held[mine + size.x] : u_curr[at + NX];
  around += u_curr[at - NX * NY] + u_curr[at + NX * NY];
  u_next[at] = 2.0f * c - u_prev[at] + alpha * (around - 6.0f * c);
}
