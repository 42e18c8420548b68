#include <metal_stdlib>
using namespace metal;

kernel void product(device const float* a [[buffer(0)]], device const float* b [[buffer(1)]],
                    device float* c [[buffer(2)]], constant uint& n [[buffer(3)]],
                    uint column [[thread_position_in_grid]]) {
  if (column >= n) return;
  for (uint row = 0; row < n; ++row) {
    float sum = 0.0f;
    for (uint k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
  }
  for (uint row = 0; row < n; ++row) {  // the inner loop depends on the row
    float sum = 0.0f;
    for (uint k = row; k < n; ++k) sum += a[row * n + k];
    c[row * n + column] += sum;
  }
  float last = 0.0f;
  for (uint row = 0; row < n; ++row) {  // a round needs the one before
    for (uint k = 0; k < n; ++k) c[k] += last;
    last = b[row];
  }
}

kernel void skips(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant uint& n [[buffer(2)]]) {
  for (uint row = 0; row < n; ++row) {  // a round skips a part of the inner loop
    float sum = 0.0f;
    for (uint k = 0; k < n; ++k) {
      if (k == row) continue;
      sum += x[k];
    }
    y[row] = sum;
  }
}
