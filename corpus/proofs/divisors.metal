// Divisions of integers: by numbers of the host, of the data, and by zero.
// claims by_argument: bounds y proved; races y proved; divisors proved
// claims by_zero: divisors refuted 31
// claims by_difference: divisors refuted 36
// claims by_data: divisors unknown
// claims by_at_least_one: bounds y proved; races y proved
// kernel: by_argument
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 4
// kernel: by_zero
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 4
// kernel: by_difference
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 4
#include <metal_stdlib>
using namespace metal;

kernel void by_argument(device uint* y, constant uint& n, uint t [[thread_position_in_threadgroup]]) {
  y[t / n * n + t % n] = t;
}

kernel void by_zero(device uint* y, constant uint& n, uint t [[thread_position_in_threadgroup]]) {
  const uint none = 0;
  y[t] = n / none;
}

kernel void by_difference(device uint* y, constant uint& n,
                          uint t [[thread_position_in_threadgroup]]) {
  y[t] = n / (n - t);
}

// kernel: by_data
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 64*1
kernel void by_data(device uint* y, device const uint* x, uint t [[thread_position_in_threadgroup]]) {
  y[t] = t / x[t];
}

// kernel: by_at_least_one
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 64*1
kernel void by_at_least_one(device uint* y, device const uint* x,
                            uint t [[thread_position_in_threadgroup]]) {
  y[t] = t / max(x[t], 1u);
}
