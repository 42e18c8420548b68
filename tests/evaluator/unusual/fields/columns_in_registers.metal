// task: heat2d
//
// A thread goes down eight rows of a column and keeps what it has read.
#include <metal_stdlib>
using namespace metal;

kernel void heat_step(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                      constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                      constant float& alpha [[buffer(4)]],
                      uint2 cell [[thread_position_in_grid]]) {
  constexpr uint rows = 8;
  const uint i = cell.x;
  const uint begin = cell.y * rows;
  if (i >= NX || begin >= NY) return;
  const uint end = min(begin + rows, NY);
  float above = begin > 0 ? u_in[(begin - 1) * NX + i] : 0.0f;
  float c = u_in[begin * NX + i];
  for (uint j = begin; j < end; ++j) {
    const float below = j + 1 < NY ? u_in[(j + 1) * NX + i] : 0.0f;
    const bool is_edge = i == 0 || j == 0 || i + 1 == NX || j + 1 == NY;
    float next = c;
    if (!is_edge) {
      const float beside = u_in[j * NX + i - 1] + u_in[j * NX + i + 1];
      next = c + alpha * (beside + above + below - 4.0f * c);
    }
    u_out[j * NX + i] = next;
    above = c;
    c = below;
  }
}
