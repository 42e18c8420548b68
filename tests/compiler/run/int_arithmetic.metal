// Arithmetic of int: division, remainder and shifts of negative numbers, wrapping.
#include <metal_stdlib>
using namespace metal;

// grid: 8
// threadgroup: 8
// in 0: int 7 -7 -2147483648 100 1 -1 0 123456789
// in 1: int 2 2 3 -7 31 5 9 -1000
// out 2: int 3 -3 -715827882 -14 0 0 0 -123456
// out 2: int 1 -1 -2 2 1 -1 0 789
// out 2: int 9 -5 -2147483645 93 32 4 9 123455789
// out 2: int 5 -9 2147483645 107 -30 -6 -9 123457789
// out 2: int 14 -14 -2147483648 -700 31 -5 0 1097262584
// out 2: int 1 -2 -268435456 0 0 -1 0 7
// out 2: int 28 -28 0 -939524096 -2147483648 -32 0 352321536
// out 2: int 2 0 0 96 1 5 0 123456528
// out 2: int 7 -5 -2147483645 -3 31 -1 9 -739
// out 2: int 5 -5 -2147483645 -99 30 -6 9 -123457267
// out 2: int -8 6 2147483647 -101 -2 0 -1 -123456790
// out 2: int -7 7 -2147483648 -100 -1 1 0 -123456789
// out 2: int 0 0 0 0 0 0 1 0
// out 2: int 0 1 1 0 1 1 1 0
// out 2: int 1 0 0 1 0 0 0 1
// out 2: int 2 -7 -2147483648 -7 1 -1 0 -1000
// out 2: int 7 2 3 100 31 5 9 123456789
// out 2: int 7 7 -2147483648 100 1 1 0 123456789
// out 2: int 7 -7 -50 50 1 -1 0 50
// out 2: int 0 -1 -2 -1 0 -1 0 -29
// out 2: int 4 -3 -1073741823 46 16 2 4 61727894
// out 2: int 5 -2 -1073741822 47 16 2 5 61727895
// out 2: int 9 -5 -2147483645 93 32 4 9 123455789
// out 2: int 5 -9 -2147483648 107 -30 -6 -9 123457789
// out 2: int 5 9 -2147483645 107 30 6 9 123457789
// out 2: int 21 -21 -2147483648 -600 32 -6 0 -2147483648
// out 2: int 7 -8 2147483646 99 1 -2 0 123456760
kernel void integers(device const int* x [[buffer(0)]], device const int* y [[buffer(1)]],
                     device int* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const int a = x[i], b = y[i];
  out[0 + i] = a / b;
  out[8 + i] = a % b;
  out[16 + i] = a + b;
  out[24 + i] = a - b;  // expect: signed_overflow
  out[32 + i] = a * b;
  out[40 + i] = a >> (b & 31);
  out[48 + i] = a << (b & 31);
  out[56 + i] = a & b;
  out[64 + i] = a | b;
  out[72 + i] = a ^ b;
  out[80 + i] = ~a;
  out[88 + i] = -a;
  out[96 + i] = !a;
  out[104 + i] = a < b;
  out[112 + i] = a >= b;
  out[120 + i] = min(a, b);
  out[128 + i] = max(a, b);
  out[136 + i] = abs(a);
  out[144 + i] = clamp(a, -50, 50);
  out[152 + i] = mulhi(a, b);
  out[160 + i] = hadd(a, b);
  out[168 + i] = rhadd(a, b);
  out[176 + i] = addsat(a, b);
  out[184 + i] = subsat(a, b);
  out[192 + i] = int(absdiff(a, b));
  out[200 + i] = madsat(a, b, a);
  out[208 + i] = madhi(a, b, a);
}
