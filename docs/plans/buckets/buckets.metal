#include <metal_stdlib>
using namespace metal;

kernel void bucket_add(device const uint* keys [[buffer(0)]], device const uint* weights [[buffer(1)]],
                       device atomic_uint* sums [[buffer(2)]], device atomic_uint* counts [[buffer(3)]],
                       constant uint& n [[buffer(4)]], constant uint& buckets [[buffer(5)]],
                       uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  const uint bucket = keys[i] % buckets;
  atomic_fetch_add_explicit(&sums[bucket], weights[i], memory_order_relaxed);
  atomic_fetch_add_explicit(&counts[bucket], 1, memory_order_relaxed);
}

// Elements of earlier buckets in the upper 32 bits, their weights added to the whole.
kernel void bucket_begin(device const uint* sums [[buffer(0)]], device const uint* counts [[buffer(1)]],
                         device ulong* begins [[buffer(2)]], constant uint& buckets [[buffer(3)]],
                         uint bucket [[thread_position_in_grid]]) {
  if (bucket >= buckets) return;
  ulong begin = 0;
  for (uint i = 0; i < bucket; ++i) begin += (ulong(counts[i]) << 32) + sums[i];
  begins[bucket] = begin;
}
