// gap: line 9: cannot translate kernel 'k' yet: it uses recursion: a function of a table calls itself, directly or through others
#include <metal_stdlib>
using namespace metal;
struct T { visible_function_table<uint(uint, constant void*)> t; };
[[visible]] uint g(uint n, constant void* t) {
  return n < 2 ? n : ((constant T*)t)->t[0](n - 1, t) * 3;
}
kernel void k(constant T& t [[buffer(0)]], device uint* x [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = t.t[0](x[i], &t);
}
