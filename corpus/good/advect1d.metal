// One upwind step of a quantity that flows to the right in a ring.
#include <metal_stdlib>
using namespace metal;

kernel void advect(device const float* q_in [[buffer(0)]],
                   device float* q_out [[buffer(1)]],
                   constant uint& count [[buffer(2)]],
                   constant float& courant [[buffer(3)]],
                   uint i [[thread_position_in_grid]]) {
  if (i >= count) return;
  const uint left = i == 0 ? count - 1 : i - 1;
  q_out[i] = q_in[i] - courant * (q_in[i] - q_in[left]);
}
