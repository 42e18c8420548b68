// gap: neither to device nor to constant memory
#include <metal_stdlib>
using namespace metal;
struct Inner { threadgroup float* t; };
struct S { device float* a; Inner inner; };
kernel void f(constant S& s [[buffer(0)]]) { s.a[0] = s.inner.t[0]; }
