#include <metal_stdlib>
using namespace metal;

// y = a x + y, four elements a thread; the host dispatches a thread for each four. N is a multiple
// of four.
kernel void saxpy(device const float4* x [[buffer(0)]],
                  device float4* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint at [[thread_position_in_grid]]) {
  if (at >= N / 4) return;
  y[at] = a * x[at] + y[at];
}
