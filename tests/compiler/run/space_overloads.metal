// Member functions that differ in the space of their object, and in what they do.
// kernel: fields
// grid: 2
// threadgroup: 2
// in 0: uint 10 20
// out 1: uint 10 11 12 13 20 21 22 23
// out 2: float 10.25 10.5 20.25 20.5
// kernel: sums
// grid: 2
// threadgroup: 2
// in 0: uint 1 2
// out 1: uint 102 1002 104 1004
#include <metal_stdlib>
using namespace metal;

struct Field {
  uint v;
  uint get() const { return v; }
  uint get() device const { return v + 1; }
  uint get() threadgroup const { return v + 2; }
  uint twice() device const { return get() + 2; }
  uint twice() const { return 2 * get(); }
  operator float() const { return float(v) + 0.25f; }
  operator float() device const { return float(v) + 0.5f; }
};
kernel void fields(device const Field* in [[buffer(0)]], device uint* out [[buffer(1)]],
                   device float* numbers [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  threadgroup Field shared[2];
  shared[i].v = in[i].v;
  const Field mine = in[i];
  out[4 * i] = mine.get();
  out[4 * i + 1] = in[i].get();
  out[4 * i + 2] = shared[i].get();
  out[4 * i + 3] = in[i].twice();
  numbers[2 * i] = float(mine);
  numbers[2 * i + 1] = float(in[i]);
}

template <typename T>
struct Number {
  T v;
  Number(T v) : v(v) {}
  Number operator+(const Number other) const { return Number(v + other.v + 100); }
  Number operator+(const Number other) const device { return Number(v + other.v + 1000); }
};
kernel void sums(device const Number<uint>* in [[buffer(0)]], device uint* out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  const Number<uint> mine = in[i];
  out[2 * i] = (mine + in[i]).v;
  out[2 * i + 1] = (in[i] + mine).v;
}
