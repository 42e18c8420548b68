// Members that differ in the space of their object alone, with bodies of their own.
#include <metal_stdlib>
using namespace metal;
struct Field {
  uint v;
  Field operator+(Field other) const { return {v + other.v}; }
  Field operator+(Field other) const device { return {v + other.v + 1}; }
  Field operator+(Field other) const constant { return {v ^ other.v}; }
  bool operator==(Field other) const { return v == other.v; }
  bool operator==(Field other) const device { return other.v == v; }
};
template <typename T> struct Cell {
  T value;
  T get() const thread { return value; }
  T get() const threadgroup { return value * 2; }
  T get() const device { T copy = value; return copy + T(1); }
  template <typename U> void set(U to) thread { value = T(to); }
  template <typename U> void set(U to) device { value = T(to) + T(1); }
};
struct Outer {
  float scale;
  struct Inner { float x; float twice() const { return 2 * x; } float twice() const device { return x + x; } };
  Inner inner;
  float total() const { return scale * inner.twice(); }
  float total() const device { return inner.twice() * scale; }
  float both() const device { return total() + this->total(); }
};
struct Count {
  uint n;
  operator uint() const { return n; }
  operator uint() const device { return n + 1; }
  thread Count& operator++() thread { ++n; return *this; }
  device Count& operator++() device { n += 2; return *this; }
};
kernel void all(device Field* a, constant Field& b, device Cell<float>* c, device Outer& d, device Count& e, uint i [[thread_position_in_grid]]) {
  threadgroup Cell<float> shared;
  if (i == 0) shared.value = 1;
  Field own = a[0];
  a[i] = own + (a[i] + (b + own));
  if (a[i] == own) c[i].set(c[i].get());
  c[i].set(d.both() + shared.get());
  ++e;
  a[i].v += uint(e);
}
