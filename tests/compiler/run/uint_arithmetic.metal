// Arithmetic of uint, and the functions over its bits.
#include <metal_stdlib>
using namespace metal;

// grid: 8
// threadgroup: 8
// in 0: uint 7 4294967295 2147483648 100 1 3735928559 0 123456789
// in 1: uint 2 2 3 4294967289 31 5 9 1000
// out 2: uint 3 2147483647 715827882 0 0 747185711 0 123456
// out 2: uint 1 1 2 100 1 4 0 789
// out 2: uint 9 1 2147483651 93 32 3735928564 9 123457789
// out 2: uint 5 4294967293 2147483645 107 4294967266 3735928554 4294967287 123455789
// out 2: uint 14 4294967294 2147483648 4294966596 31 1499773611 0 3197704712
// out 2: uint 1 1073741823 268435456 0 0 116747767 0 482253
// out 2: uint 28 4294967292 0 3355443200 2147483648 3585596896 0 1540166912
// out 2: uint 0 0 0 1 1 0 1 0
// out 2: uint 2 2 3 100 1 5 0 1000
// out 2: uint 7 4294967295 2147483648 4294967289 31 3735928559 9 123456789
// out 2: uint 0 1 1 99 0 4 0 28
// out 2: uint 4 2147483648 1073741825 2147483694 16 1867964282 4 61728894
// out 2: uint 5 2147483649 1073741826 2147483695 16 1867964282 5 61728895
// out 2: uint 9 4294967295 2147483651 4294967295 32 3735928564 9 123457789
// out 2: uint 5 4294967293 2147483645 0 0 3735928554 0 123455789
// out 2: uint 5 4294967293 2147483645 4294967189 30 3735928554 9 123455789
// out 2: uint 16 4294967295 4294967295 4294967295 62 4294967295 9 4294967295
// out 2: uint 29 0 0 25 31 0 32 5
// out 2: uint 0 0 31 2 0 0 32 0
// out 2: uint 3 32 1 3 1 24 0 16
// out 2: uint 3758096384 4294967295 1 637534208 2147483648 4152210811 0 2830359264
// out 2: uint 28 4294967295 4 3355443200 2147483648 3585596923 0 1540166919
// out 2: uint 0 2047 0 3 0 1527 0 1640
// out 2: uint 7 4294967295 2147483648 100 1 3735928559 0 123456789
// out 2: uint 0 4294967295 4294965248 0 0 4294966762 0 117
// out 2: uint 39 4294963247 2147483696 3988 497 3735924831 144 123457157
// out 2: uint 2 2 3 4294967289 31 5 9 1000
// out 2: uint 0 3 0 0 0 29 0 0
// out 2: uint 14 131070 0 24900 31 244395 0 12180232
// out 2: uint 21 131069 2147483648 25000 32 3736172954 0 135637021
kernel void integers(device const uint* x [[buffer(0)]], device const uint* y [[buffer(1)]],
                     device uint* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const uint a = x[i], b = y[i];
  out[0 + i] = a / b;
  out[8 + i] = a % b;
  out[16 + i] = a + b;
  out[24 + i] = a - b;
  out[32 + i] = a * b;
  out[40 + i] = a >> (b & 31);
  out[48 + i] = a << (b & 31);
  out[56 + i] = a < b;
  out[64 + i] = min(a, b);
  out[72 + i] = max(a, b);
  out[80 + i] = mulhi(a, b);
  out[88 + i] = hadd(a, b);
  out[96 + i] = rhadd(a, b);
  out[104 + i] = addsat(a, b);
  out[112 + i] = subsat(a, b);
  out[120 + i] = absdiff(a, b);
  out[128 + i] = madsat(a, b, b);
  out[136 + i] = clz(a);
  out[144 + i] = ctz(a);
  out[152 + i] = popcount(a);
  out[160 + i] = reverse_bits(a);
  out[168 + i] = rotate(a, b);
  out[176 + i] = extract_bits(a, 5, 11);
  out[184 + i] = extract_bits(a, 0, 32);
  out[192 + i] = uint(extract_bits(int(a), 20, 12));
  out[200 + i] = insert_bits(a, b, 4, 8);
  out[208 + i] = insert_bits(a, b, 0, 32);
  out[216 + i] = extract_bits(a, 7, b & 7);
  out[224 + i] = mul24(a & 0xffff, b & 0xff);
  out[232 + i] = mad24(a & 0xffff, b & 0xff, a);
}
