#include <metal_stdlib>
using namespace metal;

// One explicit step of the heat equation, four cells of a row a thread; the edges keep their values.
// The host dispatches a thread for each four columns. NX is a multiple of four.
kernel void heat_step(device const float* u_in [[buffer(0)]],
                      device float* u_out [[buffer(1)]],
                      constant uint& NX [[buffer(2)]],
                      constant uint& NY [[buffer(3)]],
                      constant float& alpha [[buffer(4)]],
                      uint2 quad [[thread_position_in_grid]]) {
  const uint i = 4 * quad.x;
  const uint j = quad.y;
  if (i >= NX || j >= NY) return;

  const uint at = j * NX + i;
  const float4 c = *(device const float4*)(u_in + at);
  float4 next = c;
  if (j > 0 && j < NY - 1) {
    const float4 up = *(device const float4*)(u_in + at - NX);
    const float4 down = *(device const float4*)(u_in + at + NX);
    const float before = i > 0 ? u_in[at - 1] : 0.0f;
    const float after = i + 4 < NX ? u_in[at + 4] : 0.0f;
    const float4 left = float4(before, c.xyz);
    const float4 right = float4(c.yzw, after);
    next = c + alpha * (left + right + up + down - 4.0f * c);
    if (i == 0) next.x = c.x;
    if (i + 4 == NX) next.w = c.w;
  }
  *(device float4*)(u_out + at) = next;
}
