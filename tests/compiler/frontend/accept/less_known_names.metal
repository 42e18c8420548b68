// Names that Apple's headers have beyond the specification's text, as projects use them.
#include <metal_stdlib>
#include <SwiftUI/SwiftUI_Metal.h>
using namespace metal;

#define NOTE(...) __attribute__((annotate(__VA_ARGS__)))

template <size_t... I>
float sum_of(thread const float* x, index_sequence<I...>) {
  return (0 + ... + x[I]);
}
static_assert(integer_sequence<int, 4, 5>::size() == 2, "of two");
static_assert(is_same_v<make_index_sequence<3>, index_sequence<0, 1, 2>>, "counted");
static bool is_null(nullptr_t) { return true; }

void fill(threadgroup float tile NOTE("shared")[32], uint i) { tile[i] = 0; }

kernel void names(device _atomic<uint>* counts, device bfloat* out, device float* sums,
                  uint i [[thread_position_in_grid]]) {
  threadgroup float tile[32];
  fill(tile, i & 31);
  atomic_fetch_add_explicit(&counts[i & 1], 1u, memory_order_relaxed);
  out[i] = is_null(nullptr) ? HUGE_VALBF : bfloat(0);
  const float x[3] = {1, 2, 3};
  sums[i] = sum_of(x, make_index_sequence<3>()) + tile[0];
}

[[stitchable]] half4 tint(float2 position, SwiftUI::Layer layer, float2 size) {
  return layer.sample(position) * half(position.x / size.x);
}

kernel void sparse(texture2d<float> color, texture2d_array<half, access::read> layers, depth2d<float> depth,
                   texturecube<float> sky, sampler s, device float4* out, uint i [[thread_position_in_grid]]) {
  const sparse_color<float4> sampled = color.sparse_sample(s, float2(0.5f), level(0));
  const auto read = layers.sparse_read(uint2(i, 0), 1);
  const float near = depth.sparse_sample_compare(s, float2(0.5f), 0.5f).value();
  const float4 gathered = color.sparse_gather(s, float2(0.5f)).value();
  out[i] = sampled.resident() && read.resident() ? sampled.value() + float4(read.value()) + gathered : float4(near);
  out[i] += sky.sparse_sample(s, float3(1, 0, 0)).value();
}
