// Functions over vectors of integers.
#include <metal_stdlib>
using namespace metal;

// grid: 1
// threadgroup: 1
// in 0: int -5 7 -2147483648 100
// in 1: int 3 -2 5 1000
// out 2: int -1 -3 -429496729 0
// out 2: int -2 1 -3 100
// out 2: int -5 -2 -2147483648 100
// out 2: int 0 7 0 100
// out 2: int -5 7 -50 50
// out 2: int 3 2 5 1000
// out 2: int -2 1 -536870912 25
// out 2: int -1 -1 -3 0
// out 2: int -2 5 -2147483643 1100
// out 2: int 31 3 1 3
// out 2: int 0 29 0 25
// out 2: int 0 0 31 2
// out 2: int -1073741824 2147483647 -1610612736 398458880
// out 2: int -33 56 4 800
// out 2: int -3 3 0 -14
// out 2: int 8 9 -2147483643 900
// out 2: int 3 7 5 1000
// out 2: int 1 0 1 1
// out 2: int 1 1 1 1
// out 2: int -5 7 -2147483648 100
// out 2: int 251 7 0 100
// out 2: int -2 5 5 1100
kernel void integers(device const int4& x [[buffer(0)]], device const int4& y [[buffer(1)]],
                     device int4* out [[buffer(2)]]) {
  const int4 a = x, b = y;
  out[0] = a / b;
  out[1] = a % b;
  out[2] = min(a, b);
  out[3] = max(a, 0);
  out[4] = clamp(a, -50, 50);
  out[5] = abs(b);
  out[6] = a >> 2;
  out[7] = mulhi(a, b);
  out[8] = addsat(a, b);
  out[9] = popcount(a);
  out[10] = clz(a);
  out[11] = ctz(a);
  out[12] = reverse_bits(b);
  out[13] = rotate(a, int4(3));
  out[14] = extract_bits(a, 1, 6);
  out[15] = int4(absdiff(a, b));
  out[16] = select(a, b, a < b);
  out[17] = int4(a < b);
  out[18] = int4(a == a);
  out[19] = -(-a);
  out[20] = int4(uchar4(a));
  out[21] = int4(short4(a) + short4(b));
}
