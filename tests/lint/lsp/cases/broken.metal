// A source that does not compile.
#include <metal_stdlib>
using namespace metal;
float half_of(float x) { return x / 2; }
kernel void f(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = half_of(unknown(x[i]));
//       ^ references
//       ^ rename halved
  float part = ;
  y[i] = part + half_of(x[i];
//              ^ references
//       ^ rename halves
//^ rename other
}
kernel void g(device float* x, uint i) { x[i] = half_of(
//                                                      ^ signature
