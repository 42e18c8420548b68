// NaN and infinities: tests, comparisons, arithmetic that makes them, the least and the greatest.
#include <metal_stdlib>
using namespace metal;

// kernel: tests
// grid: 6
// threadgroup: 6
// in 0: float nan inf -inf 0 1e-40 -5
// out 1: uchar 1 0 0 0 0 0
// out 1: uchar 0 1 1 0 0 0
// out 1: uchar 0 0 0 1 1 1
// out 1: uchar 0 0 0 0 0 1
// out 1: uchar 1 0 0 0 0 0
// out 1: uchar 0 1 0 1 1 0
// out 1: uchar 0 0 1 0 0 1
// out 1: uchar 1 0 1 0 0 1
// out 1: uchar 1 0 0 0 0 0
// out 1: uchar 0 0 1 0 0 1
kernel void tests(device const float* in [[buffer(0)]], device uchar* out [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  const float x = in[i];
  out[i] = isnan(x);
  out[6 + i] = isinf(x);
  out[12 + i] = isfinite(x);
  out[18 + i] = isnormal(x);
  out[24 + i] = x != x;
  out[30 + i] = x >= 0.0f;
  out[36 + i] = x < 0.0f;
  out[42 + i] = !(x >= 0.0f);
  out[48 + i] = isunordered(x, 1.0f);
  out[54 + i] = signbit(x) && !isnan(x);
}

// kernel: makes
// grid: 1
// threadgroup: 1
// in 0: float 0 1 -1
// out 1: float inf -inf nan nan inf -inf nan 1 1 nan 0x1.fffffep127
kernel void makes(device const float* in [[buffer(0)]], device float* out [[buffer(1)]]) {
  const float zero = in[0], one = in[1], less = in[2];
  out[0] = one / zero;  // expect: not_finite
  out[1] = less / zero;
  out[2] = zero / zero;
  out[3] = sqrt(less);
  out[4] = INFINITY;
  out[5] = log(zero);
  out[6] = NAN;
  out[7] = fmin(one, zero / zero);
  out[8] = fmax(zero / zero, one);
  out[9] = one / zero - one / zero;
  out[10] = MAXFLOAT;
}

// kernel: halves
// grid: 4
// threadgroup: 4
// in 0: half nan inf -inf 60000
// out 1: uchar 1 0 0 0
// out 1: uchar 0 1 1 0
// out 2: half nan inf -inf inf
kernel void halves(device const half* in [[buffer(0)]], device uchar* out [[buffer(1)]],
                   device half* twice [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  out[i] = isnan(in[i]);
  out[4 + i] = isinf(in[i]);
  twice[i] = in[i] * 2.0h;
}
