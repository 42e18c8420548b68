// Choices among vectors: by the shim's own functions, by select, and how true counts as a number.
#include <metal_stdlib>
using namespace metal;

// kernel: choices
// grid: 1
// threadgroup: 1
// in 0: float -2.5 0 3 7
// in 1: float 1 -1 3 8
// out 2: float -1 0 1 1
// out 2: float 1 0 1 1
// out 2: float 0 1 0 0
// out 2: float -2.5 -1 3 7
// out 2: float 1 0 3 8
// out 2: float 1 0 0 1
// out 2: float 0 1 0 1
// out 2: float 0 0 1 1
kernel void choices(constant float4& x [[buffer(0)]], constant float4& y [[buffer(1)]],
                    device float4* out [[buffer(2)]]) {
  out[0] = sign(x);
  out[1] = step(x, y);
  out[2] = fdim(x, y);
  out[3] = select(y, x, x < y);
  out[4] = max(x, y);
  out[5] = float4(x < y);
  out[6] = float4(bool4(false, true, x.x > y.x, x.w < y.w));
  out[7] = saturate(x);
}

// kernel: questions
// grid: 1
// threadgroup: 1
// in 0: float nan 1 -inf 0
// out 1: uchar 1 0 0 0 0 0 1 0 0 1 0 1 0 0 1 0 1 0 1 1 1 1
kernel void questions(constant float4& x [[buffer(0)]], device uchar* out [[buffer(1)]]) {
  const bool4 answers[] = {isnan(x), isinf(x), isfinite(x), signbit(x), !(x > 0.5f)};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 4; ++j) out[4 * i + j] = answers[i][j];
  out[20] = any(isnan(x)) && !all(isnan(x));
  out[21] = all(isnan(x) || isinf(x) || isfinite(x));
}
