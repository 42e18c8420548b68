// ++ and -- of vectors of integers.
// grid: 1
// threadgroup: 1
// in 0: int 1 2 3 4
// out 1: int 2 3 4 5 2 3 4 5 1 3 3 5 7 255 8 0
#include <metal_stdlib>
using namespace metal;

kernel void k(device const int4* x [[buffer(0)]], device int4* out [[buffer(1)]]) {
  int4 a = x[0];
  out[0] = ++a;
  out[1] = a--;
  a.yw++;
  out[2] = a;
  uchar2 b = uchar2(8, 0);
  const uchar2 before = b--;
  out[3] = int4(b.x, b.y, before.x, before.y);
}
