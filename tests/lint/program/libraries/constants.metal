// Kernels whose shapes and branches are function constants, with arguments that exist under them.
#include <metal_stdlib>
using namespace metal;

constant bool has_bias [[function_constant(0)]];
constant bool has_mask [[function_constant(1)]];
constant int height [[function_constant(2)]];
constant int width [[function_constant(3)]];
constant int kind [[function_constant(4)]];
constant float slope [[function_constant(5)]];
constant bool slope_given = is_function_constant_defined(slope);
constant bool shape_is_even = (height & 1) == 0 && (width & 1) == 0;

template <typename T>
T activated(T x) {
  switch (kind) {
    case 1: return max(x, T(0));
    case 2: return clamp(x, T(0), T(6));
    case 3: return x > T(0) ? x : x * T(slope_given ? slope : 0.01f);
    default: return x;
  }
}

template <typename T, int K, int STEP>
kernel void convolve(device const T* in [[buffer(0)]], device T* out [[buffer(1)]], constant T* weights [[buffer(2)]],
                     constant T* bias [[buffer(3), function_constant(has_bias)]],
                     device const uchar* mask [[buffer(4), function_constant(has_mask)]],
                     uint2 at [[thread_position_in_grid]]) {
  if (int(at.x) >= width || int(at.y) >= height) return;
  if (has_mask && mask[at.y * width + at.x] == 0) {
    out[at.y * width + at.x] = T(0);
    return;
  }
  T sum = T(0);
  for (int y = 0; y < K; ++y)
    for (int x = 0; x < K; ++x) {
      const int2 from = int2(at) + STEP * (int2(x, y) - K / 2);
      if (shape_is_even && any(from < 0)) continue;
      if (from.x >= 0 && from.x < width && from.y >= 0 && from.y < height)
        sum += in[from.y * width + from.x] * weights[y * K + x];
    }
  if (has_bias) sum += bias[0];
  out[at.y * width + at.x] = activated(sum);
}

#define CONVOLVE(T, K, STEP) \
  template [[host_name("convolve_" #T "_" #K "_" #STEP)]] kernel decltype(convolve<T, K, STEP>) convolve<T, K, STEP>;
#define WIDTHS(T, STEP) CONVOLVE(T, 1, STEP) CONVOLVE(T, 3, STEP) CONVOLVE(T, 5, STEP) CONVOLVE(T, 7, STEP)
// For each N, 8 kernels:
WIDTHS(float, N) WIDTHS(half, N)
