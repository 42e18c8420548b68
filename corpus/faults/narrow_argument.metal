// A function takes a count of 16 bits, and the host passes more.
// missed by lint: the values of the host and of buffers are not known
// grid: 1
// threadgroup: 1
// in 0: uint 70000
// in 1: float 0
#include <metal_stdlib>
using namespace metal;
inline float share(ushort n) { return 1 / float(n + 1); }
inline float wide_share(uint n) { return 1 / float(n + 1); }
kernel void faulty(constant uint& n, device float* y) {
  y[0] = share(n);  // check: narrowed
}
kernel void fixed(constant uint& n, device float* y) { y[0] = wide_share(n); }
