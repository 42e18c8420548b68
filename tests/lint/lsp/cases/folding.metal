// A comment
// of two lines.
#include <metal_stdlib>
#include <metal_math>
using namespace metal;
/* One
   that is closed. */
#if MODE == 1
constant int mode = 1;
#elif MODE == 2
constant int mode = 2;
#else
constant int mode = 0;
#endif
#define LONG(x) { \
  x; \
}
kernel void f(device float* x,
              uint i [[thread_position_in_grid]]) {
  if (i > 0) {
    x[i] = 1;
  } else {
    x[i] = max(x[i],
               mode + 0.0f);
  }
  float a[] = {1, 2, 3};  // on one line
}
//? folding
struct Unclosed {
  float a[3;
  float b;
};
void g() {
  if (true {
