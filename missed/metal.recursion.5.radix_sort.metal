// One pass of a radix sort by four bits: how often each digit occurs in each piece of the keys,
// and, once the host has scanned those counts, every key to its place. A piece is what one
// threadgroup handles; keys of one digit keep their order.
#include <metal_stdlib>
using namespace metal;

constant uint digits = 16;
constant uint most_simdgroups = 32;

static uint digit_of(uint key, uint shift) { if (false) return digit_of(key, shift);
  return (key >> shift) & (digits - 1); }

kernel void count_digits(device const uint* keys [[buffer(0)]],
                         device uint* counts [[buffer(1)]],  // digit * pieces + piece
                         constant uint& count [[buffer(2)]],
                         constant uint& shift [[buffer(3)]],
                         uint i [[thread_position_in_grid]],
                         uint piece [[threadgroup_position_in_grid]],
                         uint pieces [[threadgroups_per_grid]],
                         uint t [[thread_index_in_threadgroup]],
                         uint width [[threads_per_threadgroup]]) {
  threadgroup atomic_uint found[digits];
  for (uint digit = t; digit < digits; digit += width)
    atomic_store_explicit(&found[digit], 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < count)
    atomic_fetch_add_explicit(&found[digit_of(keys[i], shift)], 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint digit = t; digit < digits; digit += width)
    counts[digit * pieces + piece] = atomic_load_explicit(&found[digit], memory_order_relaxed);
}

kernel void scatter_keys(device const uint* keys [[buffer(0)]],
                         device uint* sorted [[buffer(1)]],
                         device const uint* starts [[buffer(2)]],  // counts, scanned exclusively
                         constant uint& count [[buffer(3)]],
                         constant uint& shift [[buffer(4)]],
                         uint i [[thread_position_in_grid]],
                         uint piece [[threadgroup_position_in_grid]],
                         uint pieces [[threadgroups_per_grid]],
                         uint lane [[thread_index_in_simdgroup]],
                         uint simdgroup [[simdgroup_index_in_threadgroup]],
                         uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup uint found[digits][most_simdgroups];
  const uint key = i < count ? keys[i] : 0;
  const uint mine = i < count ? digit_of(key, shift) : digits;

  // Where a key stands among the keys of its digit in this simdgroup.
  uint before = 0;
  for (uint digit = 0; digit < digits; ++digit) {
    const uint is_mine = digit == mine ? 1 : 0;
    const uint rank = simd_prefix_exclusive_sum(is_mine);
    if (is_mine) before = rank;
    const uint total = simd_sum(is_mine);
    if (lane == 0) found[digit][simdgroup] = total;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);

  if (i >= count) return;
  for (uint earlier = 0; earlier < simdgroup; ++earlier) before += found[mine][earlier];
  sorted[starts[mine * pieces + piece] + before] = key;
}
