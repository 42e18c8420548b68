// Functions as arguments of templates; literals and lists within them.
#include <metal_stdlib>
using namespace metal;

typedef half2 Twin;
inline void twice(thread float& x) { x *= 2; }
template <void (*f)(thread float&)>
inline float apply(float x) {
  f(x);
  return x;
}
template <typename T>
inline T halved(T x) {
  auto q = 0.5 * x;
  static_assert(is_same<decltype(q), T>::value, "a literal is a float");
  return q;
}
template <typename I>
inline I place(uint3 at, constant long* strides) {
  return I(at.x * strides[0] + at.y * strides[1] + at.z);
}
template <typename T>
inline T first(const threadgroup Twin values[4]) {
  return T(values[0].x);
}
template <typename T, typename U>
inline T converted(U x) {
  return static_cast<T>(x);
}
struct alignas(2 * sizeof(float)) Aligned {
  char bytes[sizeof(float) * 2];
};
static_assert(sizeof(half) + 2 == 4, "no cast");

kernel void f(device float* x [[buffer(0)]], constant long* strides [[buffer(1)]],
              threadgroup Twin* twins [[threadgroup(0)]], uint3 i [[thread_position_in_grid]]) {
  x[i.x] = apply<twice>(x[i.x]) + halved(x[i.x]);
  x[i.x] += place<long>({2 * i.x, i.y, i.z}, strides) + first<float>(twins);
  x[i.x] += float(converted<half>(converted<bfloat>(x[i.x])));
}
