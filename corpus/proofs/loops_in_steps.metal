// A counter that two loops move in steps of five and four: one arithmetic of Z3 takes minutes for the bounds of y.
// claims two_steps: bounds x proved; bounds y proved; races y unknown
// kernel: two_steps
// grid: 64
// threadgroup: 32
// in 0: float 128*1
// in 1: float 4096*1
#include <metal_stdlib>
using namespace metal;
kernel void two_steps(device float* y, device const float* x, uint t [[thread_position_in_grid]]) {
  float s = 0; uint k = t;
#pragma clang loop unroll(disable)
  for (; k <= (t & 7u) && k < 200u; k += 5u) { if (k == t + 29u) break; s += x[k]; }
#pragma clang loop unroll(disable)
  for (; k < 51u; k += 4u) { s += x[k]; }
  y[k] = s;
}
