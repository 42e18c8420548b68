// task: heat2d
//
// Signed indices, one test of bounds by products of distances, and a walking pointer.
#include <metal_stdlib>
using namespace metal;

kernel void heat_step(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                      constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                      constant float& alpha [[buffer(4)]],
                      uint2 cell [[thread_position_in_grid]]) {
  const int i = int(cell.x), j = int(cell.y), nx = int(NX), ny = int(NY);
  if (i >= nx || j >= ny) return;
  device const float* here = u_in + (j * nx + i);
  const bool inside = min(min(i, nx - 1 - i), min(j, ny - 1 - j)) > 0;
  float result = *here;
  if (inside) {
    const float along = here[-1] - 2.0f * here[0] + here[1];
    const float across = here[-nx] - 2.0f * here[0] + here[nx];
    result = fma(alpha, along + across, result);
  }
  u_out[j * nx + i] = result;
}
