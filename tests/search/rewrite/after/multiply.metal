#include <metal_stdlib>
using namespace metal;

uint remainder_of(uint x, uint n) {
  const uint r = x - mulhi(x, 0xffffffffu / n) * n;
  return r < n ? r : r - n;
}

uint quotient(uint x, uint n) {
  const uint q = mulhi(x, 0xffffffffu / n);
  return x - q * n < n ? q : q + 1;
}

kernel void grid(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  const uint row = quotient(i, n);
  const uint column = remainder_of(i, n);
  x[i] = float(row * column / 4);
}
