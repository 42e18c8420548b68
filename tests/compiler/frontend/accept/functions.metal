// Every function of the mathematical headers, over scalars and vectors of each kind.
#include <metal_stdlib>
using namespace metal;

template <typename V>
V one_argument(V x) {
  x += acos(x) + acosh(x) + asin(x) + asinh(x) + atan(x) + atanh(x) + ceil(x) + cos(x) + cosh(x) + cospi(x);
  x += exp(x) + exp10(x) + exp2(x) + fabs(x) + abs(x) + floor(x) + fract(x) + log(x) + log10(x) + log2(x);
  x += rint(x) + round(x) + rsqrt(x) + sin(x) + sinh(x) + sinpi(x) + sqrt(x) + tan(x) + tanh(x) + tanpi(x);
  x += trunc(x) + saturate(x) + sign(x) + fast::sin(x) + precise::exp(x) + fast::rsqrt(x) + precise::tanh(x);
  return x;
}
template <typename V>
V more_arguments(V x, V y, V z) {
  x += atan2(x, y) + copysign(x, y) + fdim(x, y) + fmax(x, y) + fmin(x, y) + fmod(x, y) + max(x, y) + min(x, y);
  x += pow(x, y) + powr(x, y) + divide(x, y) + step(x, y) + nextafter(x, y) + fast::divide(x, y);
  x += fma(x, y, z) + clamp(x, y, z) + mix(x, y, z) + smoothstep(x, y, z) + max3(x, y, z) + min3(x, y, z) +
       median3(x, y, z) + fmax3(x, y, z) + fmin3(x, y, z) + fmedian3(x, y, z) + precise::fma(x, y, z);
  V second;
  x += sincos(x, second) + modf(x, second);
  return x + second;
}
template <typename V, typename I>
V with_integers(V x, I i) {
  I e;
  x = frexp(x, e) + ldexp(x, i);
  i += ilogb(x) + e;
  return x;
}
template <typename I>
I integers(I x, I y, I z) {
  x += abs(x) + max(x, y) + min(x, y) + clamp(x, y, z) + max3(x, y, z) + median3(x, y, z);
  x += popcount(x) + clz(x) + ctz(x) + reverse_bits(x) + addsat(x, y) + subsat(x, y) + hadd(x, y) + rhadd(x, y);
  x += mulhi(x, y) + madhi(x, y, z) + madsat(x, y, z) + rotate(x, y) + extract_bits(x, 1, 2) +
       insert_bits(x, y, 1, 2);
  return select(x, y, x > z);
}
template <typename V>
auto geometry(V x, V y) {
  x = normalize(x) + reflect(x, y) + refract(x, y, 0.5f) + faceforward(x, y, x);
  return dot(x, y) + length(x) + distance(x, y) + length_squared(x) + distance_squared(x, y) + x.x;
}

kernel void functions(device float* f [[buffer(0)]], device half* h [[buffer(1)]],
                      device int* i [[buffer(2)]], device uint* u [[buffer(3)]]) {
  f[0] = one_argument(f[1]) + more_arguments(f[1], f[2], f[3]) + with_integers(f[1], i[0]);
  h[0] = one_argument(h[1]) + more_arguments(h[1], h[2], h[3]) + with_integers(h[1], i[0]);
  const float2 f2 = one_argument(float2(f[1])) + with_integers(float2(f[1]), int2(i[0]));
  const float3 f3 = one_argument(float3(f[1])) + more_arguments(float3(1), float3(2), float3(3));
  const float4 f4 = one_argument(float4(f[1])) + more_arguments(float4(1), float4(2), float4(3));
  const half4 h4 = one_argument(half4(h[1])) + more_arguments(half4(1), half4(2), half4(3));
  i[0] = integers(i[1], i[2], i[3]) + integers(char(1), char(2), char(3)) + integers(short2(1), short2(2), short2(3)).x;
  u[0] = integers(u[1], u[2], u[3]) + integers(uchar4(1), uchar4(2), uchar4(3)).y + integers(ulong(1), ulong(2), ulong(3));
  i[1] = integers(int3(1), int3(2), int3(3)).z + mul24(i[1], i[2]) + mad24(i[1], i[2], i[3]) + absdiff(i[1], i[2]);
  f[1] = geometry(f2, f2) + geometry(f3, f3) + geometry(f4, f4) + geometry(h4, h4) + cross(f3, f3).x;
  f[2] = max(f4, 0.0f).x + max(0.0f, f4).y + pow(f3, 2.0f).x + clamp(f4, 0.0f, 1.0f).z + mix(f4, f4, 0.5f).w +
         clamp(f4, f4, 1).x + fma(f4, 2.0f, f4).y + step(0.5f, f4).x + smoothstep(0.0f, 1.0f, f4).x;
  i[2] = max(int2(1), 0).x + min(i[0], 3) + clamp(i[1], 0, 7) + max(short(1), short(2));
  if (isnan(f[0]) || isinf(f[1]) || isfinite(h[0]) || isnormal(f[0]) || signbit(f[0]) || all(isnan(f4)) ||
      any(isinf(h4)) || isordered(f[0], f[1]) || isunordered(f[0], f[1]) || isequal(f[0], 1.0f))
    f[3] = select(1.0f, 2.0f, f[0] < f[1]) + select(h[0], h[1], true) + INFINITY + NAN + M_PI_F + M_PI_H + FLT_MAX;
  u[1] = pack_float_to_unorm4x8(f4) + pack_float_to_snorm2x16(f2) + pack_half_to_unorm4x8(h4) + UINT_MAX + INT_MIN;
  f[4] = unpack_unorm4x8_to_float(u[0]).x + unpack_snorm2x16_to_float(u[1]).y + unpack_unorm4x8_srgb_to_half(u[2]).x;
}
