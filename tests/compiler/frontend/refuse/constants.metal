// What may not be changed, and what does not fit in braces.
#include <metal_stdlib>
using namespace metal;

constant float table[2] = {1, 2};
struct S {
  bool flag;
  char c;
};
kernel void constants(device const float* in [[buffer(0)]], constant uint& n [[buffer(1)]],
                      device float* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  in[i] = 1;  // expect: read-only variable is not assignable
  n = 3;  // expect: cannot assign to variable 'n' with const-qualified type
  table[0] = 1;  // expect: cannot assign to variable 'table' with const-qualified type
  const float x = 1;
  x = 2;  // expect: cannot assign to variable 'x' with const-qualified type 'const float'
  S s = S{.flag = (true & i), .c = 1};  // expect: cannot be narrowed from type 'uint'
  device float* p = &in[i];  // expect: cannot initialize a variable of type 'device float *' with an rvalue of type 'const device float *'
  threadgroup float* q = out;  // expect: cannot initialize a variable of type 'threadgroup float *' with an lvalue of type 'device float *'
  int k = 3;
  int k = 4;  // expect: redefinition of 'k'
  s.missing = 1;  // expect: no member named 'missing' in 'S'
}
