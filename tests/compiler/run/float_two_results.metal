// Functions with a second result: frexp, modf, sincos.
#include <metal_stdlib>
using namespace metal;

// grid: 6
// threadgroup: 6
// in 0: float 10 -0.375 1 0 -7.25 0.1
// out 1: float 0.625 -0.75 0.5 0 -0.90625 0.8
// out 2: int 4 -1 1 0 3 -3
// out 3: float 0 -0.375 0 0 -0.25 0.1
// out 4: float 10 0 1 0 -7 0
// out 5 within 1e-6: float -0.544021111 -0.366272529 0.841470985 0 -0.823080916 0.099833417
// out 6 within 1e-6: float -0.839071529 0.930507621 0.540302306 1 0.567924142 0.995004165
kernel void two_results(device const float* x [[buffer(0)]], device float* fraction [[buffer(1)]],
                        device int* exponent [[buffer(2)]], device float* rest [[buffer(3)]],
                        device float* whole [[buffer(4)]], device float* sine [[buffer(5)]],
                        device float* cosine [[buffer(6)]], uint i [[thread_position_in_grid]]) {
  int e;
  fraction[i] = frexp(x[i], e);
  exponent[i] = e;
  float w, c;
  rest[i] = modf(x[i], w);
  whole[i] = w;
  sine[i] = sincos(x[i], c);
  cosine[i] = c;
}
