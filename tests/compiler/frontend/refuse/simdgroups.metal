// What cannot travel between lanes.
#include <metal_stdlib>
using namespace metal;

kernel void lanes(device ulong* out [[buffer(0)]], uint lane [[thread_index_in_simdgroup]]) {
  out[0] = simd_shuffle(out[1], lane);  // expect: no matching function for call to 'simd_shuffle'
  out[0] = simd_broadcast(long(1), 0);  // expect: no matching function for call to 'simd_broadcast'
  float f = simd_and(1.0f);  // expect: no matching function for call to 'simd_and'
  uint m = simd_ballot(true);  // expect: no viable conversion from
  out[1] = simd_shuffle_xor(1.0f);  // expect: no matching function for call to 'simd_shuffle_xor'
  simdgroup_float8x8 a, b, c;
  simdgroup_multiply_accumulate(a, b, c);  // expect: no matching function for call to 'simdgroup_multiply_accumulate'
  simdgroup_load(a, (device half*)out, 8);  // expect: no matching function for call to 'simdgroup_load'
}
