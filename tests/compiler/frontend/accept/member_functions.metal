// Member functions that name the address space of their object.
#include <metal_stdlib>
using namespace metal;

struct A {
  float operator()(float x) thread { return x; }
};
template <typename T>
struct Row {
  using F = vec<T, 2>;
  static T first(F v) { return v.x; }
  T x;
  T g() thread {
    F q = F(x, x);
    return first(q);
  }
  T twice() const thread { return x + x; }
  T twice() const device { return x + x; }
  device T& at() device { return x; }
  threadgroup T& at() threadgroup { return x; }
  T later() const device;
};
template <typename T>
T Row<T>::later() const device {
  return x;
}
struct Store {
  static float load(float2 v, int s) { return v[s]; }
  template <int O>
  static float red(float x) {
    return x + O;
  }
};
template <typename F>
struct Outer {
  float sum;
  float load(float2 v, int s) thread { return F::load(v, s) + F::template red<2>(sum); }
};
struct Number {
  float v;
  constexpr Number(float x) thread : v(x) {}
  constexpr Number(float x) device : v(x) {}
  constexpr Number(float x) constant : v(x) {}
  operator float() const thread { return v; }
  operator float() const device { return v; }
  template <typename T, typename = enable_if_t<is_same<T, half>::value>>
  operator T() const thread {
    return T(v);
  }
  template <typename T, typename = enable_if_t<is_same<T, half>::value>>
  operator T() const device {
    return T(v);
  }
};
struct Label {
  constant char* text;
  constexpr Label(constant char* t) constant : text(t) {}
};
constant char letters[] = "abc";
constant Label label(letters);
template <typename T>
struct Pair {
  T m;
  constexpr Pair<T>() = default;
  constexpr Pair<T>() threadgroup = default;
};

kernel void f(device float* x [[buffer(0)]], device Row<float>* rows [[buffer(1)]],
              device Number* numbers [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  Outer<Store> outer;
  outer.sum = A{}(x[i]);
  Row<float> row;
  row.x = outer.load(float2(x[i], 2), 1);
  rows[i].at() = row.g() + row.twice() + rows[i].twice() + rows[i].later();
  const float a = numbers[i];
  const Number n(a);
  const half h = n;
  x[i] = a + h + float(n) + label.text[0];
}
