// gap: line 7: cannot translate kernel 'k' yet: it uses the address of a program-scope constant
#include <metal_stdlib>
using namespace metal;
constant float table[2] = {1, 2};
struct S { constant float* p; };
kernel void k(device S* s [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  s[i].p = &table[i];
}
