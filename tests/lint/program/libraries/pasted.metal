// Macros paste whole kernels, each with a twin for strides.
#include <metal_stdlib>
using namespace metal;

METAL_FUNC uint strided(uint at, constant size_t& dims, constant size_t* shape, constant size_t* strides) {
  uint offset = 0;
  for (uint d = 0; d < dims; ++d) {
    const uint axis = dims - 1 - d;
    offset += (at % shape[axis]) * strides[axis];
    at /= shape[axis];
  }
  return offset;
}

template <typename T> METAL_FUNC T square(T x) { return x * x; }
template <typename T> METAL_FUNC T relu(T x) { return x > T(0) ? x : T(0); }
template <typename T> METAL_FUNC T gelu(T x) {
  const float value = float(x);
  return T(value * (1 + precise::tanh(M_2_SQRTPI_F * M_SQRT1_2_F * (value + 0.044715f * value * value * value))) / 2);
}
template <typename T> METAL_FUNC T sigmoid(T x) { return T(1 / (1 + exp(-float(x)))); }

#define UNARY_OF(FN, TYPENAME, N, FN_NAME, FN_NAME_STRIDED)                                               \
  kernel void FN_NAME(constant size_t& dim, device const TYPENAME* input, device TYPENAME* output,         \
                      uint tid [[thread_position_in_grid]]) {                                              \
    for (uint n = 0; n < N && tid * N + n < dim; ++n) {                                                    \
      output[tid * N + n] = TYPENAME(FN(input[tid * N + n]));                                              \
    }                                                                                                      \
  }                                                                                                        \
  kernel void FN_NAME_STRIDED(constant size_t& dim, constant size_t& num_dims, constant size_t* dims,      \
                              constant size_t* strides, device const TYPENAME* input,                      \
                              device TYPENAME* output, uint tid [[thread_position_in_grid]]) {             \
    for (uint n = 0; n < N && tid * N + n < dim; ++n) {                                                    \
      output[tid * N + n] = TYPENAME(FN(input[strided(tid * N + n, num_dims, dims, strides)]));            \
    }                                                                                                      \
  }
#define UNARY_NAMED(FN, SUFFIX, TYPENAME, N) \
  UNARY_OF(FN, TYPENAME, N, FN##_##SUFFIX##_##N, FN##_##SUFFIX##_strided_##N)
#define UNARY(FN, N) UNARY_NAMED(FN, f32, float, N) UNARY_NAMED(FN, f16, half, N) UNARY_NAMED(FN, bf16, bfloat, N)
// For each N, 24 kernels:
UNARY(square, N) UNARY(relu, N) UNARY(gelu, N) UNARY(sigmoid, N)
