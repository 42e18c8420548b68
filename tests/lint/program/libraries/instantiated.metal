// One variadic macro instantiates each kernel by decltype; others compose the names.
#include <metal_stdlib>
#include "shared/lowest_values.h"
using namespace metal;

#define UNROLL _Pragma("clang loop unroll(full)")
#define instantiate_kernel(name, func, ...) \
  template [[host_name(name)]] [[kernel]] decltype(func<__VA_ARGS__>) func<__VA_ARGS__>;

template <typename U, int W>
struct LogSum {
  U largest = shared::Lowest<U>::value;
  U sum = 0;
  void add(U value) thread {
    const U before = largest;
    largest = max(largest, value);
    sum = sum * exp(before - largest) + exp(value - largest);
  }
};

template <typename T, typename U = float, int W = 4>
[[kernel]] void softmax(const device T* in [[buffer(0)]], device T* out [[buffer(1)]],
                        constant int& axis_size [[buffer(2)]], uint row [[threadgroup_position_in_grid]],
                        uint lane [[thread_position_in_threadgroup]], uint width [[threads_per_threadgroup]]) {
  in += row * size_t(axis_size);
  out += row * size_t(axis_size);
  LogSum<U, W> state;
  for (int at = 0; at < axis_size; ++at) state.add(U(in[at]));
  for (int from = lane * W; from < axis_size; from += width * W) {
    UNROLL
    for (int w = 0; w < W; ++w)
      if (from + w < axis_size) out[from + w] = T(exp(U(in[from + w]) - state.largest) / state.sum);
  }
}

template <typename T, int W, bool has_weights>
[[kernel]] void rms_norm(const device T* in, const device T* weights, device T* out, constant float& epsilon,
                         constant uint& axis_size, uint row [[threadgroup_position_in_grid]],
                         uint lane [[thread_position_in_threadgroup]], uint simd [[thread_index_in_simdgroup]],
                         uint group [[simdgroup_index_in_threadgroup]], uint width [[threads_per_threadgroup]]) {
  threadgroup float sums[32];
  float own = 0;
  for (uint at = lane; at < axis_size; at += width) own += float(in[row * axis_size + at]) * float(in[row * axis_size + at]);
  own = simd_sum(own);
  if (group == 0) sums[simd] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (simd == 0) sums[group] = own;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float scale = precise::rsqrt(simd_sum(sums[simd]) / axis_size + epsilon);
  for (uint at = lane; at < axis_size; at += width) {
    T value = T(float(in[row * axis_size + at]) * scale);
    if constexpr (has_weights) value = value * weights[at];
    out[row * axis_size + at] = value;
  }
}

#define instantiate_norms(name, type, n)                                       \
  instantiate_kernel("softmax_" #name "_w" #n, softmax, type, float, n)        \
  instantiate_kernel("softmax_wide_" #name "_w" #n, softmax, type, float, n + 1000) \
  instantiate_kernel("rms_" #name "_w" #n, rms_norm, type, n, true)            \
  instantiate_kernel("rms_plain_" #name "_w" #n, rms_norm, type, n, false)
// For each N, 12 kernels:
instantiate_norms(float32, float, N) instantiate_norms(float16, half, N) instantiate_norms(bfloat16, bfloat, N)
