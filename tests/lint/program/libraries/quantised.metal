// Blocks of packed weights: one alias of a kernel's type, and a table of [[host_name]] behind it.
#include <metal_stdlib>
using namespace metal;

#define SIMD_WIDTH 32
#define QK 32

typedef struct {
  half scale;
  uint8_t low[QK / 2];
} block_four;
static_assert(sizeof(block_four) == sizeof(half) + QK / 2, "a block has no padding");

typedef struct {
  half scale;
  half least;
  uint8_t high[4];
  uint8_t low[QK / 2];
} block_five;

typedef struct {
  half scale;
  int8_t value[QK];
} block_eight;

typedef struct {
  int64_t rows, columns, row_bytes;
  int32_t batches;
} arguments_mul;

float weight_of(device const block_four* block, short at) {
  return block->scale * ((int)(at < QK / 2 ? block->low[at] & 0xF : block->low[at - QK / 2] >> 4) - 8);
}
float weight_of(device const block_five* block, short at) {
  const uint32_t high = *(device const uint32_t*)block->high;
  const int low = at < QK / 2 ? block->low[at] & 0xF : block->low[at - QK / 2] >> 4;
  return block->scale * (low | (((high >> at) & 1) << 4)) + block->least;
}
float weight_of(device const block_eight* block, short at) { return block->scale * block->value[at]; }

template <typename block_t, typename value_t, short rows_each, short simdgroups>
kernel void kernel_mul_mv(constant arguments_mul& args, device const char* weights, device const char* values,
                          device char* result, uint3 group [[threadgroup_position_in_grid]],
                          ushort lane [[thread_index_in_simdgroup]], ushort simdgroup [[simdgroup_index_in_threadgroup]]) {
  const int64_t first = (int64_t(group.x) * simdgroups + simdgroup) * rows_each;
  device const value_t* y = (device const value_t*)values + group.y * args.columns;
  float sums[rows_each] = {0.f};
  for (int64_t block = lane; block < args.columns / QK; block += SIMD_WIDTH) {
#pragma unroll(rows_each)
    for (short row = 0; row < rows_each; ++row) {
      if (first + row >= args.rows) continue;
      device const block_t* x = (device const block_t*)(weights + (first + row) * args.row_bytes) + block;
      for (short at = 0; at < QK; ++at) sums[row] += weight_of(x, at) * (float)y[block * QK + at];
    }
  }
  device float* out = (device float*)result + group.y * args.rows;
  for (short row = 0; row < rows_each && first + row < args.rows; ++row) {
    const float sum = simd_sum(sums[row]);
    if (lane == 0) out[first + row] = sum;
  }
}

template <typename block_t, typename value_t, short unused>
kernel void kernel_get_rows(constant arguments_mul& args, device const char* weights, device const int32_t* rows,
                            device char* result, uint2 at [[thread_position_in_grid]]) {
  if (at.x >= args.columns) return;
  device const block_t* x = (device const block_t*)(weights + rows[at.y] * args.row_bytes) + at.x / QK;
  ((device value_t*)result)[at.y * args.columns + at.x] = value_t(weight_of(x, at.x % QK) * unused);
}

typedef decltype(kernel_mul_mv<block_four, float, 2, 1>) mul_mv_t;
typedef decltype(kernel_get_rows<block_four, float, 1>) get_rows_t;

#define TABLE(name, block, value, n)                                                                              \
  template [[host_name("kernel_mul_mv_" name "_1_" #n)]] kernel mul_mv_t kernel_mul_mv<block, value, 1, n>;       \
  template [[host_name("kernel_mul_mv_" name "_2_" #n)]] kernel mul_mv_t kernel_mul_mv<block, value, 2, n>;       \
  template [[host_name("kernel_get_rows_" name "_" #n)]] kernel get_rows_t kernel_get_rows<block, value, n>;
// For each N, 18 kernels:
TABLE("four_f32", block_four, float, N) TABLE("four_f16", block_four, half, N)
TABLE("five_f32", block_five, float, N) TABLE("five_f16", block_five, half, N)
TABLE("eight_f32", block_eight, float, N) TABLE("eight_f16", block_eight, half, N)
