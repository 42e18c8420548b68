#include <metal_stdlib>
using namespace metal;
template <typename T> T twice(T x) {
  auto y = x + x;
  return y;
}
kernel void f(device float* x, device const int* n [[buffer(0)]], constant uint& size,
              threadgroup float* part, threadgroup int* own [[threadgroup(1)]], uint i [[thread_position_in_grid]]) {
  auto p = &x[i];
  const auto q = &part[i];
  auto& r = own[0];
  auto first = n + i;
  auto sum = *p + *q + r + n[i] + size;
  auto v = float3(sum);
  auto unknown = missing(1);
  threadgroup auto* s = part;
  for (auto k = 0u; k < size; ++k) x[k] = twice(v).x + twice(k) + *s;
}
#define DECLARE auto hidden = 1;
kernel void g(texture2d<float> image, device float* x) { DECLARE x[0] = hidden; }
template <typename T> kernel void h(device T* x, device T* y) { x[0] = y[0]; }
template [[host_name("h_float")]] kernel void h<float>(device float*, device float*);
//? hints
