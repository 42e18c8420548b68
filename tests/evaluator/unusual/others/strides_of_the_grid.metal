// task: saxpy
//
// Each thread steps by the size of the grid, as a kernel for any grid does.
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& N [[buffer(3)]],
                  uint first [[thread_position_in_grid]], uint threads [[threads_per_grid]]) {
  for (uint i = first; i < N; i += threads) y[i] += a * x[i];
}
