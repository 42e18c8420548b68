// task: heat2d
//
// Takes the cells on the left and on the right from the lanes beside it, where these have them.
#include <metal_stdlib>
using namespace metal;

kernel void heat_step(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                      constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                      constant float& alpha [[buffer(4)]],
                      uint2 cell [[thread_position_in_grid]],
                      uint2 t [[thread_position_in_threadgroup]],
                      uint2 size [[threads_per_threadgroup]],
                      ushort lane [[thread_index_in_simdgroup]]) {
  const bool is_inside = cell.x < NX && cell.y < NY;
  const uint at = is_inside ? cell.y * NX + cell.x : 0;
  const float c = u_in[at];
  const float before = simd_shuffle(c, ushort(lane == 0 ? lane : lane - 1));
  const float after = simd_shuffle(c, ushort(lane == 31 ? lane : lane + 1));
  if (!is_inside) return;
  if (cell.x == 0 || cell.y == 0 || cell.x == NX - 1 || cell.y == NY - 1) {
    u_out[at] = c;
    return;
  }
  const float left = t.x == 0 || lane == 0 ? u_in[at - 1] : before;
  const float right = t.x == size.x - 1 || lane == 31 ? u_in[at + 1] : after;
  u_out[at] = c + alpha * (left + right + u_in[at - NX] + u_in[at + NX] - 4.0f * c);
}
