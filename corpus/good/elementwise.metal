// One kernel template for all binary functions and all types of elements; the host finds each by a
// name of its own.
#include <metal_stdlib>
using namespace metal;

struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    return a + b;
  }
};

struct Multiply {
  template <typename T>
  T operator()(T a, T b) const {
    return a * b;
  }
};

struct Larger {
  template <typename T>
  T operator()(T a, T b) const {
    return max(a, b);
  }
};

template <typename T, typename Function>
kernel void elementwise(device const T* a [[buffer(0)]],
                        device const T* b [[buffer(1)]],
                        device T* c [[buffer(2)]],
                        constant uint& count [[buffer(3)]],
                        uint i [[thread_position_in_grid]]) {
  if (i < count) c[i] = Function()(a[i], b[i]);
}

#define INSTANTIATE(name, T, Function)                                             \
  template [[host_name(name)]] kernel void elementwise<T, Function>(              \
      device const T*, device const T*, device T*, constant uint&, uint);

INSTANTIATE("add_float", float, Add)
INSTANTIATE("add_half", half, Add)
INSTANTIATE("add_int", int, Add)
INSTANTIATE("multiply_float", float, Multiply)
INSTANTIATE("multiply_half", half, Multiply)
INSTANTIATE("multiply_int", int, Multiply)
INSTANTIATE("larger_float", float, Larger)
INSTANTIATE("larger_int", int, Larger)
