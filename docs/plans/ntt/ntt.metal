#include <metal_stdlib>
using namespace metal;

constant uint prime = 998244353;  // 119 * 2^23 + 1, with the primitive root 3

uint multiply(uint a, uint b) { return uint(ulong(a) * b % prime); }

// w[i] = root^i, where root is a primitive root of unity of order 2^log_n.
kernel void ntt_twiddles(device uint* w [[buffer(0)]], constant uint& log_n [[buffer(1)]],
                         uint i [[thread_position_in_grid]]) {
  if (i >= (1u << log_n) / 2) return;
  uint power = 1, square = 3, exponent = ((prime - 1) >> log_n) * i;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) power = multiply(power, square);
    square = multiply(square, square);
  }
  w[i] = power;
}

// A stage of Stockham's transform: one butterfly for each thread.
kernel void ntt_stage(device const uint* in [[buffer(0)]], device uint* out [[buffer(1)]],
                      device const uint* w [[buffer(2)]], constant uint& log_n [[buffer(3)]],
                      constant uint& stage [[buffer(4)]], uint2 at [[thread_position_in_grid]],
                      uint2 grid [[threads_per_grid]]) {
  const uint half_n = (1u << log_n) / 2;
  if (at.x >= half_n || at.y >= grid.y) return;
  const uint stride = 1u << stage, q = at.x & (stride - 1), p = at.x >> stage;
  device const uint* row_in = in + at.y * 2 * half_n;
  device uint* row_out = out + at.y * 2 * half_n;
  const uint a = row_in[at.x], b = row_in[at.x + half_n];
  const uint sum = a + b, difference = a + prime - b;
  row_out[q + stride * 2 * p] = sum >= prime ? sum - prime : sum;
  row_out[q + stride * (2 * p + 1)] = multiply(difference >= prime ? difference - prime : difference, w[p << stage]);
}
