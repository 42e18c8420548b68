// task: wave3d
//
// A loop over three axes adds what lies on both sides.
#include <metal_stdlib>
using namespace metal;

kernel void wave_step(device const float* u_prev [[buffer(0)]], device const float* u_curr [[buffer(1)]],
                      device float* u_next [[buffer(2)]], constant uint& NX [[buffer(3)]],
                      constant uint& NY [[buffer(4)]], constant uint& NZ [[buffer(5)]],
                      constant float& alpha [[buffer(6)]],
                      uint3 cell [[thread_position_in_grid]]) {
  const uint3 sides = uint3(NX, NY, NZ), strides = uint3(1, NX, NX * NY);
  if (any(cell >= sides)) return;
  const uint at = cell.x + cell.y * strides.y + cell.z * strides.z;
  const float c = u_curr[at];
  float bent = 0.0f;
  bool on_face = false;
  for (uint axis = 0; axis < 3; ++axis) {
    if (cell[axis] == 0 || cell[axis] == sides[axis] - 1) {
      on_face = true;
      break;
    }
    bent += (u_curr[at - strides[axis]] - c) + (u_curr[at + strides[axis]] - c);
  }
  u_next[at] = on_face ? c : fma(alpha, bent, 2.0f * c - u_prev[at]);
}
