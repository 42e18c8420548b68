// gap: line 8: cannot translate kernel 'k' yet: it uses recursion: 'fibonacci(unsigned int)' calls itself
#include <metal_stdlib>
using namespace metal;
static uint fibonacci(uint n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
kernel void k(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = fibonacci(i);
}
