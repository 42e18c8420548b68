// task: heat2d
// verdict: accepted
//
// A simdgroup whose cells and neighbours are all equal keeps them. It is right, and fast for a field that is mostly flat.
#include <metal_stdlib>
using namespace metal;

kernel void heat_step(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                      constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                      constant float& alpha [[buffer(4)]], uint2 cell [[thread_position_in_grid]]) {
  const bool is_inside = cell.x < NX && cell.y < NY;
  const uint at = is_inside ? cell.y * NX + cell.x : 0;
  const bool is_edge = cell.x == 0 || cell.y == 0 || cell.x >= NX - 1 || cell.y >= NY - 1;
  const float c = u_in[at];
  const float4 beside = is_edge ? float4(c) : float4(u_in[at - 1], u_in[at + 1], u_in[at - NX], u_in[at + NX]);
  const bool rests = all(beside == c);
  if (simd_all(rests)) {
    if (is_inside) u_out[at] = c;
    return;
  }
  if (is_inside) u_out[at] = c + alpha * (beside.x + beside.y + beside.z + beside.w - 4.0f * c);
}
