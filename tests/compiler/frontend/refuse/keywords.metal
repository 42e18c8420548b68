// Metal's words as names, and words of C that it lacks.
#include <metal_stdlib>
using namespace metal;

kernel void reserved(device float* out [[buffer(0)]]) {
  uint half  // expect: cannot combine with previous 'type-name' declaration specifier
      = 3;  // expect: expected unqualified-id
  out[0] = 1;
}
kernel void pointers(device float* restrict out [[buffer(0)]]) {  // expect: expected ')'
}
