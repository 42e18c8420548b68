#include <metal_stdlib>
using namespace metal;
// Two threads decide about y[n / 2]; the last one to come is right only if threads run in reverse.
kernel void f(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  if (i != n / 2) y[i] = 2 * x[i];
  if (i == 0) y[n / 2] = 2 * x[n / 2];
  if (i == n - 1) y[n / 2] = 0;
}
