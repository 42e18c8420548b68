// task: heat2d
// class: wrong at other sizes
// caught: certificate
//
// The last columns rest where a hash of the sides has one value: the end of the columns that move is
// a number of the launch, and both outcomes of its comparison are seen at each size.
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
  const float around = u_in[at - 1] + u_in[at + 1] + u_in[at - NX] + u_in[at + NX];
  const uint hash = (NX * 2328615797u ^ NY * 2082028489u) >> 25;
  const uint rest = uint(2.0f * exp2(-160.0f * float(hash ^ 14u)));
  u_out[at] = i + rest < NX ? c + alpha * (around - 4.0f * c) : c;
}
