// Integers on their way into narrower types, where they count or index.
// claims row_begin: bounds x proved; bounds y proved; conversions proved
// claims row_begin_of_many: conversions refuted 66
// claims count_in_byte: conversions refuted 72
// claims count_in_ushort: conversions proved
// claims meant: bounds y proved
// claims of_data: conversions unknown
// claims of_limited_data: bounds x proved
// claims position_in_half: conversions proved
// claims passed_on: conversions refuted 104
// kernel: row_begin
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 32768*1
// in 2: uint 500
// kernel: row_begin_of_many
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 65536*1
// in 2: uint 1000
// kernel: count_in_byte
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 256
// kernel: count_in_ushort
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 65535
// kernel: meant
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 1000
// kernel: of_data
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// kernel: of_limited_data
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 128*1
// kernel: position_in_half
// grid: 2048
// threadgroup: 64
// in 0: half 2048*1
// kernel: passed_on
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 3
#include <metal_stdlib>
using namespace metal;

kernel void row_begin(device uint* y, device const uint* x, constant uint& n, uint t [[thread_position_in_threadgroup]]) {
  const short row = t * n;
  y[t] = x[row];
}

kernel void row_begin_of_many(device uint* y, device const uint* x, constant uint& n,
                              uint t [[thread_position_in_threadgroup]]) {
  const short row = t * n;
  y[t] = x[row];
}

kernel void count_in_byte(device uint* y, constant uint& n, uint t [[thread_position_in_threadgroup]]) {
  uchar count = 0;
  count = n + t / 64;
  for (uchar i = 0; i < count; ++i) y[t] += i;
}

kernel void count_in_ushort(device uint* y, constant uint& n, uint t [[thread_position_in_threadgroup]]) {
  const ushort count = n - t;
  y[t] = count;
}

// An explicit cast may cut on purpose.
kernel void meant(device uint* y, constant uint& n, uint t [[thread_position_in_threadgroup]]) {
  const uchar checksum = uchar(t * n);
  y[t] = checksum;
}

kernel void of_data(device uint* y, uint t [[thread_position_in_threadgroup]]) {
  const uchar part = y[t];
  y[t] = part;
}

kernel void of_limited_data(device uint* y, device const uint* x, uint t [[thread_position_in_threadgroup]]) {
  const uchar part = min(y[t], 127u);
  y[t] = x[part];
}

kernel void position_in_half(device half* y, uint i [[thread_position_in_grid]]) {
  const half at = i;
  y[i] = at * 0.5h;
}

uint next(uchar level) { return level + 1; }
kernel void passed_on(device uint* y, constant uint& n, uint t [[thread_position_in_threadgroup]]) {
  y[t] = next(t * 5 - n);
}
