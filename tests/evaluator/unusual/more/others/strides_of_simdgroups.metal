// task: saxpy
//
// Simdgroups take blocks in turn, as long as there are any.
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]],
                  uint threads [[threads_per_grid]]) {
  for (uint first = i - lane; first < N; first += threads) {
    const uint left = min(N - first, 32u);
    if (lane < left) y[first + lane] = fma(a, x[first + lane], y[first + lane]);
    if (left < 32) break;
  }
}
