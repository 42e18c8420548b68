// References to arrays whose lengths are known when the kernel runs.
// grid: 2
// threadgroup: 2
// in 0: float 1 2 3 4
// in 1: uint 3
// out 2: float 6 12
#include <metal_stdlib>
using namespace metal;
static float total(array_ref<float> values) {
  float sum = 0;
  for (size_t i = 0; i < values.size(); ++i) sum += values[i];
  return sum;
}
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]], device float* out [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  const float by = i + 1;
  float mine[4] = {by * x[0], by * x[1], by * x[2], by * x[3]};
  out[i] = total(make_array_ref(mine, n));
}
