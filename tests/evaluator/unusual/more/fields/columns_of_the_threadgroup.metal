// task: heat2d
//
// Each thread of a flattened threadgroup takes cells that lie apart by its size.
#include <metal_stdlib>
using namespace metal;

kernel void heat_step(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                      constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                      constant float& alpha [[buffer(4)]],
                      uint2 group [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]],
                      uint2 size [[threads_per_threadgroup]]) {
  const uint across = size.x, cells = size.x * size.y;
  for (uint each = cells - 1 - t; each < cells; each += cells) {
    const uint i = group.x * across + each % across, j = group.y * size.y + each / across;
    if (i >= NX || j >= NY) continue;
    const uint at = j * NX + i;
    float c = u_in[at];
    if (i > 0 && j > 0 && i < NX - 1 && j < NY - 1)
      c += alpha * ((u_in[at - NX] + u_in[at + NX]) + (u_in[at - 1] + u_in[at + 1]) - 4.0f * c);
    u_out[at] = c;
  }
}
