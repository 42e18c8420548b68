// Literals as pointers to constant memory.
// kernel: texts
// grid: 2
// threadgroup: 2
// out 0: int 105 106
#include <metal_stdlib>
using namespace metal;

static int length_of(constant char* s) {
  int n = 0;
  while (s[n]) ++n;
  return n;
}

kernel void texts(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constant char* name = "fi" "rst";
  out[i] = length_of(name) + 100 * (length_of("x") == 1) + int(i);
}
