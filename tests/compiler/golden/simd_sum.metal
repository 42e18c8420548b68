#include <metal_stdlib>
using namespace metal;

kernel void total(device const float* in [[buffer(0)]], device float* out [[buffer(1)]],
                  uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
  const float sum = simd_sum(in[i]);
  if (lane == 0) out[i / 32] = sum;
}
