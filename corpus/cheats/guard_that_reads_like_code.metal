// task: saxpy
// class: hostile source
// caught: rule security.bidirectional_text
//
// Shows a guard that is part of a comment, since control characters turn the text around it.
#include <metal_stdlib>
using namespace metal;

// y = a x + y, one element per thread.
kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  /* beyond the end ‮⁦if (i >= N) return;⁩⁦ */
  y[i] = a * x[i] + y[i];
}
