// Functions that come with parts of the library.
#include <metal_compute>
#include <metal_integer>
#include <metal_math>
static inline uint key_of(float x) { return metal::select(as_type<uint>(x), ~as_type<uint>(x), x < 0.0f); }
kernel void keys(device const float* x, device uint* out, uint i [[thread_position_in_grid]]) { out[i] = metal::rotate(key_of(x[i]), 5u); }
kernel void nearest(device int* x, uint i [[thread_position_in_grid]]) { x[i] = metal::clamp(x[i], -4, 4) + metal::popcount(x[i]); }
kernel void lengths(device float4* x, uint i [[thread_position_in_grid]]) { x[i] = metal::fma(x[i], x[i], metal::sqrt(metal::abs(x[i]))); }
kernel void sums(device uint* x, uint i [[thread_position_in_grid]]) { x[i] = metal::simd_sum(metal::min(x[i], 7u)); }
kernel void picks(device half3* x, uint i [[thread_position_in_grid]]) { x[i] = metal::select(x[i], half3(1), metal::isnan(x[i])); }
