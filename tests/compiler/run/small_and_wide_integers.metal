// Integers of 8, 16 and 64 bits: wrapping, promotion, signs, division, bits.
#include <metal_stdlib>
using namespace metal;

// kernel: of_char
// grid: 4
// threadgroup: 4
// in 0: char 127 -128 -7 100
// in 1: char 1 -1 2 100
// out 2: char -128 127 -5 -56
// out 2: char 126 -127 -9 0
// out 2: char 127 -128 -14 16
// out 2: char 127 -128 -3 1
// out 2: char 0 0 -1 0
// out 2: char 15 -16 -1 12
// out 2: char -8 0 -56 32
// out 2: char -128 127 6 -101
// out 2: char 1 -128 -7 100
// out 2: char 127 -1 2 100
// out 2: char 127 -128 -5 127
// out 2: char 126 -127 -9 0
// out 2: char 0 0 -1 39
// out 2: char 1 0 0 1
// out 2: char 0 7 0 2
// out 2: char 7 1 6 3
// out 2: char -2 1 -97 38
// out 2: char -2 64 -25 70
// out 2: char 64 -65 -3 100
// out 2: char -1 0 -2 -7
// out 2: char 67 -66 -59 72
// out 2: char 127 127 -12 127
// out 2: char 1 -128 -7 100
// out 2: char 126 127 9 0
kernel void of_char(device const char* x [[buffer(0)]], device const char* y [[buffer(1)]],
    device char* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const char a = x[i], b = y[i];
  out[0 + i] = char(a + b);  // expect: narrowed
  out[4 + i] = char(a - b);
  out[8 + i] = char(a * b);
  out[12 + i] = char(a / b);
  out[16 + i] = char(a % b);
  out[20 + i] = char(a >> 3);
  out[24 + i] = char(a << 3);
  out[28 + i] = char(~a);
  out[32 + i] = min(a, b);
  out[36 + i] = max(a, b);
  out[40 + i] = addsat(a, b);
  out[44 + i] = subsat(a, b);
  out[48 + i] = mulhi(a, b);
  out[52 + i] = clz(a);
  out[56 + i] = ctz(a);
  out[60 + i] = popcount(a);
  out[64 + i] = reverse_bits(a);
  out[68 + i] = rotate(a, b);
  out[72 + i] = hadd(a, b);
  out[76 + i] = extract_bits(a, 2, 4);
  out[80 + i] = insert_bits(a, b, 1, 5);
  out[84 + i] = madsat(a, b, b);
  out[88 + i] = char(a < b ? a : b);
  out[92 + i] = char(absdiff(a, b));
}

// kernel: of_uchar
// grid: 4
// threadgroup: 4
// in 0: uchar 255 1 7 200
// in 1: uchar 1 254 2 100
// out 2: uchar 0 255 9 44
// out 2: uchar 254 3 5 100
// out 2: uchar 255 254 14 32
// out 2: uchar 255 0 3 2
// out 2: uchar 0 1 1 0
// out 2: uchar 31 0 0 25
// out 2: uchar 248 8 56 64
// out 2: uchar 0 254 248 55
// out 2: uchar 1 1 2 100
// out 2: uchar 255 254 7 200
// out 2: uchar 255 255 9 255
// out 2: uchar 254 0 5 100
// out 2: uchar 0 0 0 78
// out 2: uchar 0 7 5 0
// out 2: uchar 0 0 0 3
// out 2: uchar 8 1 3 3
// out 2: uchar 255 128 224 19
// out 2: uchar 255 64 28 140
// out 2: uchar 128 127 4 150
// out 2: uchar 15 0 1 2
// out 2: uchar 195 61 5 200
// out 2: uchar 255 255 16 255
// out 2: uchar 1 1 2 100
// out 2: uchar 254 253 5 100
kernel void of_uchar(device const uchar* x [[buffer(0)]], device const uchar* y [[buffer(1)]],
    device uchar* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const uchar a = x[i], b = y[i];
  out[0 + i] = uchar(a + b);  // expect: narrowed
  out[4 + i] = uchar(a - b);
  out[8 + i] = uchar(a * b);
  out[12 + i] = uchar(a / b);
  out[16 + i] = uchar(a % b);
  out[20 + i] = uchar(a >> 3);
  out[24 + i] = uchar(a << 3);
  out[28 + i] = uchar(~a);
  out[32 + i] = min(a, b);
  out[36 + i] = max(a, b);
  out[40 + i] = addsat(a, b);
  out[44 + i] = subsat(a, b);
  out[48 + i] = mulhi(a, b);
  out[52 + i] = clz(a);
  out[56 + i] = ctz(a);
  out[60 + i] = popcount(a);
  out[64 + i] = reverse_bits(a);
  out[68 + i] = rotate(a, b);
  out[72 + i] = hadd(a, b);
  out[76 + i] = extract_bits(a, 2, 4);
  out[80 + i] = insert_bits(a, b, 1, 5);
  out[84 + i] = madsat(a, b, b);
  out[88 + i] = uchar(a < b ? a : b);
  out[92 + i] = uchar(absdiff(a, b));
}

// kernel: of_short
// grid: 4
// threadgroup: 4
// in 0: short 32767 -32768 -7 1000
// in 1: short 1 -1 2 1000
// out 2: short -32768 32767 -5 2000
// out 2: short 32766 -32767 -9 0
// out 2: short 32767 -32768 -14 16960
// out 2: short 32767 -32768 -3 1
// out 2: short 0 0 -1 0
// out 2: short 4095 -4096 -1 125
// out 2: short -8 0 -56 8000
// out 2: short -32768 32767 6 -1001
// out 2: short 1 -32768 -7 1000
// out 2: short 32767 -1 2 1000
// out 2: short 32767 -32768 -5 2000
// out 2: short 32766 -32767 -9 0
// out 2: short 0 0 -1 15
// out 2: short 1 0 0 6
// out 2: short 0 15 0 3
// out 2: short 15 1 14 6
// out 2: short -2 1 -24577 6080
// out 2: short -2 16384 -25 -6141
// out 2: short 16384 -16385 -3 1000
// out 2: short -1 0 -2 -6
// out 2: short 32707 -32706 -59 976
// out 2: short 32767 32767 -12 32767
// out 2: short 1 -32768 -7 1000
// out 2: short 32766 32767 9 0
kernel void of_short(device const short* x [[buffer(0)]], device const short* y [[buffer(1)]],
    device short* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const short a = x[i], b = y[i];
  out[0 + i] = short(a + b);  // expect: narrowed
  out[4 + i] = short(a - b);
  out[8 + i] = short(a * b);
  out[12 + i] = short(a / b);
  out[16 + i] = short(a % b);
  out[20 + i] = short(a >> 3);
  out[24 + i] = short(a << 3);
  out[28 + i] = short(~a);
  out[32 + i] = min(a, b);
  out[36 + i] = max(a, b);
  out[40 + i] = addsat(a, b);
  out[44 + i] = subsat(a, b);
  out[48 + i] = mulhi(a, b);
  out[52 + i] = clz(a);
  out[56 + i] = ctz(a);
  out[60 + i] = popcount(a);
  out[64 + i] = reverse_bits(a);
  out[68 + i] = rotate(a, b);
  out[72 + i] = hadd(a, b);
  out[76 + i] = extract_bits(a, 2, 4);
  out[80 + i] = insert_bits(a, b, 1, 5);
  out[84 + i] = madsat(a, b, b);
  out[88 + i] = short(a < b ? a : b);
  out[92 + i] = short(absdiff(a, b));
}

// kernel: of_ushort
// grid: 4
// threadgroup: 4
// in 0: ushort 65535 1 7 50000
// in 1: ushort 1 65534 3 50000
// out 2: ushort 0 65535 10 34464
// out 2: ushort 65534 3 4 0
// out 2: ushort 65535 65534 21 63744
// out 2: ushort 65535 0 2 1
// out 2: ushort 0 1 1 0
// out 2: ushort 8191 0 0 6250
// out 2: ushort 65528 8 56 6784
// out 2: ushort 0 65534 65528 15535
// out 2: ushort 1 1 3 50000
// out 2: ushort 65535 65534 7 50000
// out 2: ushort 65535 65535 10 65535
// out 2: ushort 65534 0 4 0
// out 2: ushort 0 0 0 38146
// out 2: ushort 0 15 13 0
// out 2: ushort 0 0 0 4
// out 2: ushort 16 1 3 6
// out 2: ushort 65535 32768 57344 2755
// out 2: ushort 65535 16384 56 50000
// out 2: ushort 32768 32767 5 50000
// out 2: ushort 15 0 1 4
// out 2: ushort 65475 61 7 50016
// out 2: ushort 65535 65535 24 65535
// out 2: ushort 1 1 3 50000
// out 2: ushort 65534 65533 4 0
kernel void of_ushort(device const ushort* x [[buffer(0)]], device const ushort* y [[buffer(1)]],
    device ushort* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const ushort a = x[i], b = y[i];
  out[0 + i] = ushort(a + b);  // expect: narrowed
  out[4 + i] = ushort(a - b);
  out[8 + i] = ushort(a * b);  // expect: signed_overflow
  out[12 + i] = ushort(a / b);
  out[16 + i] = ushort(a % b);
  out[20 + i] = ushort(a >> 3);
  out[24 + i] = ushort(a << 3);
  out[28 + i] = ushort(~a);
  out[32 + i] = min(a, b);
  out[36 + i] = max(a, b);
  out[40 + i] = addsat(a, b);
  out[44 + i] = subsat(a, b);
  out[48 + i] = mulhi(a, b);
  out[52 + i] = clz(a);
  out[56 + i] = ctz(a);
  out[60 + i] = popcount(a);
  out[64 + i] = reverse_bits(a);
  out[68 + i] = rotate(a, b);
  out[72 + i] = hadd(a, b);
  out[76 + i] = extract_bits(a, 2, 4);
  out[80 + i] = insert_bits(a, b, 1, 5);
  out[84 + i] = madsat(a, b, b);
  out[88 + i] = ushort(a < b ? a : b);
  out[92 + i] = ushort(absdiff(a, b));
}

// kernel: of_long
// grid: 4
// threadgroup: 4
// in 0: long 9223372036854775807 -9223372036854775808 -7 1099511627776
// in 1: long 1 3 2 1073741824
// out 2: long -9223372036854775808 -9223372036854775805 -5 1100585369600
// out 2: long 9223372036854775806 9223372036854775805 -9 1098437885952
// out 2: long 9223372036854775807 -9223372036854775808 -14 0
// out 2: long 9223372036854775807 -3074457345618258602 -3 1024
// out 2: long 0 -2 -1 0
// out 2: long 1152921504606846975 -1152921504606846976 -1 137438953472
// out 2: long -8 0 -56 8796093022208
// out 2: long -9223372036854775808 9223372036854775807 6 -1099511627777
// out 2: long 1 -9223372036854775808 -7 1073741824
// out 2: long 9223372036854775807 3 2 1099511627776
// out 2: long 9223372036854775807 -9223372036854775805 -5 1100585369600
// out 2: long 9223372036854775806 -9223372036854775808 -9 1098437885952
// out 2: long 0 -2 -1 64
// out 2: long 1 0 0 23
// out 2: long 0 63 0 40
// out 2: long 63 1 62 1
// out 2: long -2 1 -6917529027641081857 8388608
// out 2: long -2 4 -25 1099511627776
// out 2: long 4611686018427387904 -4611686018427387903 -3 550292684800
// out 2: long -1 0 -2 0
// out 2: long 9223372036854775747 -9223372036854775802 -59 1099511627776
// out 2: long 9223372036854775807 -9223372036854775808 -12 9223372036854775807
// out 2: long 1 -9223372036854775808 -7 1073741824
// out 2: long 9223372036854775806 -9223372036854775805 9 1098437885952
kernel void of_long(device const long* x [[buffer(0)]], device const long* y [[buffer(1)]],
    device long* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const long a = x[i], b = y[i];
  out[0 + i] = long(a + b);
  out[4 + i] = long(a - b);
  out[8 + i] = long(a * b);
  out[12 + i] = long(a / b);
  out[16 + i] = long(a % b);
  out[20 + i] = long(a >> 3);
  out[24 + i] = long(a << 3);
  out[28 + i] = long(~a);
  out[32 + i] = min(a, b);
  out[36 + i] = max(a, b);
  out[40 + i] = addsat(a, b);
  out[44 + i] = subsat(a, b);
  out[48 + i] = mulhi(a, b);
  out[52 + i] = clz(a);
  out[56 + i] = ctz(a);
  out[60 + i] = popcount(a);
  out[64 + i] = reverse_bits(a);
  out[68 + i] = rotate(a, b);
  out[72 + i] = hadd(a, b);
  out[76 + i] = extract_bits(a, 2, 4);
  out[80 + i] = insert_bits(a, b, 1, 5);
  out[84 + i] = madsat(a, b, b);
  out[88 + i] = long(a < b ? a : b);
  out[92 + i] = long(absdiff(a, b));
}

// kernel: of_ulong
// grid: 4
// threadgroup: 4
// in 0: ulong 18446744073709551615 1 9223372036854775808 1099511627781
// in 1: ulong 7 18446744073709551614 3 1073741824
// out 2: ulong 6 18446744073709551615 9223372036854775811 1100585369605
// out 2: ulong 18446744073709551608 3 9223372036854775805 1098437885957
// out 2: ulong 18446744073709551609 18446744073709551614 9223372036854775808 5368709120
// out 2: ulong 2635249153387078802 0 3074457345618258602 1024
// out 2: ulong 1 1 2 5
// out 2: ulong 2305843009213693951 0 1152921504606846976 137438953472
// out 2: ulong 18446744073709551608 8 0 8796093022248
// out 2: ulong 0 18446744073709551614 9223372036854775807 18446742974197923834
// out 2: ulong 7 1 3 1073741824
// out 2: ulong 18446744073709551615 18446744073709551614 9223372036854775808 1099511627781
// out 2: ulong 18446744073709551615 18446744073709551615 9223372036854775811 1100585369605
// out 2: ulong 18446744073709551608 0 9223372036854775805 1098437885957
// out 2: ulong 6 0 1 64
// out 2: ulong 0 63 0 23
// out 2: ulong 0 0 63 0
// out 2: ulong 64 1 1 3
// out 2: ulong 18446744073709551615 9223372036854775808 1 11529215046076858368
// out 2: ulong 18446744073709551615 4611686018427387904 4 1099511627781
// out 2: ulong 9223372036854775811 9223372036854775807 4611686018427387905 550292684802
// out 2: ulong 15 0 0 1
// out 2: ulong 18446744073709551567 61 9223372036854775814 1099511627777
// out 2: ulong 18446744073709551615 18446744073709551615 18446744073709551615 18446744073709551615
// out 2: ulong 7 1 3 1073741824
// out 2: ulong 18446744073709551608 18446744073709551613 9223372036854775805 1098437885957
kernel void of_ulong(device const ulong* x [[buffer(0)]], device const ulong* y [[buffer(1)]],
    device ulong* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const ulong a = x[i], b = y[i];
  out[0 + i] = ulong(a + b);
  out[4 + i] = ulong(a - b);
  out[8 + i] = ulong(a * b);
  out[12 + i] = ulong(a / b);
  out[16 + i] = ulong(a % b);
  out[20 + i] = ulong(a >> 3);
  out[24 + i] = ulong(a << 3);
  out[28 + i] = ulong(~a);
  out[32 + i] = min(a, b);
  out[36 + i] = max(a, b);
  out[40 + i] = addsat(a, b);
  out[44 + i] = subsat(a, b);
  out[48 + i] = mulhi(a, b);
  out[52 + i] = clz(a);
  out[56 + i] = ctz(a);
  out[60 + i] = popcount(a);
  out[64 + i] = reverse_bits(a);
  out[68 + i] = rotate(a, b);
  out[72 + i] = hadd(a, b);
  out[76 + i] = extract_bits(a, 2, 4);
  out[80 + i] = insert_bits(a, b, 1, 5);
  out[84 + i] = madsat(a, b, b);
  out[88 + i] = ulong(a < b ? a : b);
  out[92 + i] = ulong(absdiff(a, b));
}
