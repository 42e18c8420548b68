// make_scalar<T>, is_integral and is_floating_point of vectors, vectors deduced with their number.
#include <metal_stdlib>
#include <TargetConditionals.h>
using namespace metal;
template <typename T> using number_of = make_scalar_t<T>;
template <typename T> enable_if_t<is_integral<T>::value, T> sign_of(T x) { return select(T(1), T(-1), x < T(0)); }
template <typename T> enable_if_t<!is_integral_v<T>, T> sign_of(T x) { return sign(x); }
template <int N> uint count(vec<bool, N> v) { uint c = 0; for (int i = 0; i < N; ++i) c += uint(bool(v[i])); return c; }
template <typename T> typename make_scalar<T>::type first(T v) { return v[0]; }
template <> inline half first<half>(half v) { return v; }
template <typename V, bool whole = is_integral<V>::value> struct Limit { static V of() { return V(numeric_limits<make_scalar_t<V>>::max()); } };
template <typename V> struct Limit<V, false> { static V of() { return V(1); } };
template <typename V> auto halved(V v) { if constexpr (is_integral_v<V>) return v / 2; else return v * make_scalar_t<V>(0.5); }
struct Sum { make_scalar<packed_float3>::type total; template <typename V> void add(V v) thread { total += make_scalar_t<V>(v[0]); } };
static_assert(is_integral_v<uint3> && !is_integral<half4>::value && is_integral_v<uchar2>, "");
static_assert(is_same_v<number_of<float4>, float> && is_same_v<make_scalar<ushort2>::type, ushort>, "");
kernel void all(device int4* a, device float2* b, device half* c, uint i [[thread_position_in_grid]]) {
  Sum sum = {0};
  sum.add(b[i]);
  a[i] = sign_of(a[i]) + Limit<int4>::of() + halved(a[i]);
  b[i] += Limit<float2>::of() + halved(b[i]) + sum.total;
  b[i] = sign_of(b[i]) * float(count(vec<bool, 2>(a[i].xy < 0))) + first(b[i]);
  c[i] = first(c[i]) + half(count(bool3(true, false, i == 0))) + half(uint(all(bool2(true, i == 1))));
#if TARGET_OS_OSX || TARGET_OS_IPHONE
  c[i] += 1.0h;
#endif
}
