// task: heat2d
//
// Threadgroups inside the field have no test of bounds; those at its edges test each cell.
#include <metal_stdlib>
using namespace metal;

float stepped(device const float* u, uint NX, float alpha) {
  return u[0] + alpha * (u[-1] + u[1] + u[-int(NX)] + u[NX] - 4.0f * u[0]);
}

kernel void heat_step(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                      constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                      constant float& alpha [[buffer(4)]], uint2 cell [[thread_position_in_grid]],
                      uint2 group [[threadgroup_position_in_grid]], uint2 size [[threads_per_threadgroup]]) {
  const uint2 begin = group * size, end = begin + size;
  const uint at = cell.y * NX + cell.x;
  if (begin.x > 0 && begin.y > 0 && end.x < NX && end.y < NY) {
    u_out[at] = stepped(u_in + at, NX, alpha);
    return;
  }
  if (cell.x >= NX || cell.y >= NY) return;
  if (cell.x == 0 || cell.y == 0 || cell.x == NX - 1 || cell.y == NY - 1)
    u_out[at] = u_in[at];
  else
    u_out[at] = stepped(u_in + at, NX, alpha);
}
