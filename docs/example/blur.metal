#include <metal_stdlib>
using namespace metal;

constexpr float weights[3] = {1, 2, 1};

kernel void blur(device const float *x [[buffer(0)]],
                 device float *restrict y [[buffer(1)]],
                 uint i [[thread_position_in_grid]])
    [[max_total_threads_per_threadgroup(256)]] {
  y[i] = weights[0] * x[i] + weights[1] * x[i + 1] + weights[2] * x[i + 2];
}
