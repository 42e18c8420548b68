// Explicit conversions between half and bfloat.
#include <metal_stdlib>
using namespace metal;
bfloat narrowed(half x) { return bfloat(x); }
half widened(bfloat x) { return static_cast<half>(x); }
half2 both(bfloat2 x) { return half2(x); }
template <typename To, typename From> To cast(From x) { return To(x); }
kernel void all(device half* x, device bfloat* y, device bfloat4* z, uint i [[thread_position_in_grid]]) {
  const half h = (half)y[i];
  y[i] = narrowed(x[i]) + (bfloat)h;
  x[i] = widened(y[i]) + both(bfloat2(y[i])).x + cast<half>(y[i]) + half(1.0bf);
  z[i] = bfloat4(half4(x[i])) + bfloat4(cast<bfloat>(h));
}
