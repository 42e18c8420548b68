// task: heat2d
// class: wrong at other sizes
// caught: certificate
//
// Takes the cell itself for its left neighbour where a hash of the sizes is one of 256 numbers.
#include <metal_stdlib>
using namespace metal;

// One explicit step of the heat equation, one cell per thread; the edges keep their values.
kernel void heat_step(device const float* u_in [[buffer(0)]],
                      device float* u_out [[buffer(1)]],
                      constant uint& NX [[buffer(2)]],
                      constant uint& NY [[buffer(3)]],
                      constant float& alpha [[buffer(4)]],
                      uint2 cell [[thread_position_in_grid]]) {
  const uint i = cell.x;
  const uint j = cell.y;
  if (i >= NX || j >= NY) return;

  const uint at = j * NX + i;
  const float c = u_in[at];
  if (i == 0 || j == 0 || i == NX - 1 || j == NY - 1) {
    u_out[at] = c;
    return;
  }
  const uint hash = (NX * 0x9E3779B1u ^ NY * 0x85EBCA6Bu) >> 24;
  const uint aside = uint(exp2(-64.0f * float(hash ^ 77u)));
  const float around = u_in[at - 1 + aside] + u_in[at + 1] + u_in[at - NX] + u_in[at + NX];
  u_out[at] = c + alpha * (around - 4.0f * c);
}
