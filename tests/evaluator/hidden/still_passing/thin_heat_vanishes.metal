// task: heat2d
// verdict: accepted
//
// Temperatures below 2^-26 become zero. Judged fields have larger ones beside them, of which that is less than the
// tolerance; a field of such temperatures alone is cold at once.
#include <metal_stdlib>
using namespace metal;

kernel void heat_step(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                      constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                      constant float& alpha [[buffer(4)]], uint2 cell [[thread_position_in_grid]]) {
  const uint i = cell.x;
  const uint j = cell.y;
  if (i >= NX || j >= NY) return;

  const uint at = j * NX + i;
  const float c = u_in[at];
  if (i == 0 || j == 0 || i == NX - 1 || j == NY - 1) {
    u_out[at] = c;
    return;
  }
  const float around = u_in[at - 1] + u_in[at + 1] + u_in[at - NX] + u_in[at + NX];
  const float next = c + alpha * (around - 4.0f * c);
  u_out[at] = as_type<float>(as_type<uint>(next) & (fabs(next) < 0x1p-26f ? 0u : ~0u));
}
