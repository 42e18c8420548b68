// gap: line 5: cannot translate kernel 'f' yet: its parameter 's' has the member 'b' with [[id(0)]] behind [[id(1)]]
#include <metal_stdlib>
using namespace metal;
struct S { device float* a [[id(1)]]; device float* b [[id(0)]]; };
kernel void f(constant S& s [[buffer(0)]]) { s.a[0] = s.b[0]; }
