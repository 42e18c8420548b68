// language: metal3.2
// Lambdas, whose captures by reference name no address space.
#include <metal_stdlib>
using namespace metal;

template <typename F>
void for_each(int n, F f) {
  for (int i = 0; i < n; ++i) f(i);
}
kernel void f(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float sum = 0;
  auto add = [&](int k) { sum += out[k] + i; };
  add(1);
  for_each(3, add);
  for_each(2, [out](int k) { out[k] += 1; });
  auto less = [](float a, float b) -> float { return a < b ? a : b; };
  out[i] = less(sum, 2);
}
