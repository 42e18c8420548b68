// gap: line 6: cannot translate kernel 'f' yet: its parameter 's' has the member 'inner', which has the member 't', which holds a pointer that is neither to device nor to constant memory
#include <metal_stdlib>
using namespace metal;
struct Inner { threadgroup float* t; };
struct S { device float* a; Inner inner; };
kernel void f(constant S& s [[buffer(0)]]) { s.a[0] = s.inner.t[0]; }
