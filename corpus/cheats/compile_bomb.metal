// task: saxpy
// class: hostile source
// caught: limit
//
// Keeps the compiler busy without end.
#include <metal_stdlib>
using namespace metal;

template <int N, int M>
struct bomb {
  enum { value = bomb<N - 1, 2 * M>::value + bomb<N - 1, 2 * M + 1>::value };
};
template <int M>
struct bomb<0, M> {
  enum { value = 1 };
};
constant int load = bomb<24, 0>::value;

// y = a x + y, one element per thread.
kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  y[i] = a * x[i] + y[i];
}
