// What macros do to names.
#include <metal_stdlib>
using namespace metal;
#define HALF(value) ((value) / 2)
#define NEXT(i) (i + step)
#define UNUSED later + 1
#define MAKE(name) float name##_of(float x) { return x; }
#define TEXT(x) #x
MAKE(half)
kernel void f(device float* x, constant uint& step, uint i [[thread_position_in_grid]]) {
//                                            ^ rename stride
//                          ^ rename data
//                                                       ^ rename id
  float later = half_of(HALF(x[NEXT(i)]));
//      ^ rename after
//              ^ rename halved
//                      ^ rename QUARTER
//                      ^ prepare
  float value = HALF(later);
//      ^ rename amount
#if 0
  value += later;
#endif
  x[i] = value;
}
#ifdef TEXT
kernel void g(device float* text, uint i [[thread_position_in_grid]]) { text[i] = 1; }
//                          ^ rename words
#endif
