// task: saxpy
//
// A threadgroup goes through its block behind one test of bounds, where the block is whole.
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& N [[buffer(3)]],
                  uint group [[threadgroup_position_in_grid]], uint t [[thread_position_in_threadgroup]],
                  uint threads [[threads_per_threadgroup]]) {
  const uint begin = group * threads;
  if (begin + threads <= N) {
    y[begin + t] = a * x[begin + t] + y[begin + t];
  } else {
    const uint left = N - min(begin, N);
    if (t < left) y[begin + t] = a * x[begin + t] + y[begin + t];
  }
}
