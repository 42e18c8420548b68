// gap: line 5: the assembler name 'msci.check.read' is one of msci's own; remove it
#include <metal_stdlib>
using namespace metal;
kernel void k(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  void fake(int a) __asm__("msci.check.read");
  fake(3);
  out[i] = i;
}
