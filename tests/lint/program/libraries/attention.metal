// Tiles of matrices of simdgroups: templates of many numbers, static threadgroup memory, named by all numbers.
#include <metal_simdgroup_matrix>
#include <metal_stdlib>
using namespace metal;

template <typename T, short ROWS, short COLUMNS>
struct Tile {
  simdgroup_matrix<T, 8, 8> part[ROWS][COLUMNS];
  void clear() {
    for (short r = 0; r < ROWS; ++r)
      for (short c = 0; c < COLUMNS; ++c) part[r][c] = make_filled_simdgroup_matrix<T, 8, 8>(T(0));
  }
  template <typename P>
  void load(P from, int stride) {
    for (short r = 0; r < ROWS; ++r)
      for (short c = 0; c < COLUMNS; ++c) simdgroup_load(part[r][c], from + r * 8 * stride + c * 8, stride);
  }
  template <typename P>
  void store(P to, int stride) {
    for (short r = 0; r < ROWS; ++r)
      for (short c = 0; c < COLUMNS; ++c) simdgroup_store(part[r][c], to + r * 8 * stride + c * 8, stride);
  }
};

template <typename T, short R, short K, short C>
void multiply(thread Tile<float, R, C>& sum, thread Tile<T, R, K>& a, thread Tile<T, K, C>& b) {
  for (short r = 0; r < R; ++r)
    for (short c = 0; c < C; ++c)
      for (short k = 0; k < K; ++k) simdgroup_multiply_accumulate(sum.part[r][c], a.part[r][k], b.part[k][c], sum.part[r][c]);
}

struct Shape {
  int rows, keys, depth, stride;
};

template <typename T, short BQ, short BK, int BD, bool CAUSAL>
[[kernel, max_total_threads_per_threadgroup(32)]] void attention(
    const device T* queries [[buffer(0)]], const device T* keys [[buffer(1)]], const device T* values [[buffer(2)]],
    device float* out [[buffer(3)]], constant Shape& shape [[buffer(4)]], constant float& scale [[buffer(5)]],
    uint2 group [[threadgroup_position_in_grid]], ushort lane [[thread_index_in_simdgroup]]) {
  threadgroup float scores[BQ * 8][BK * 8];
  const int first = int(group.x) * BQ * 8;
  if (first + BQ * 8 > shape.rows) return;
  for (int block = 0; block + BK * 8 <= shape.keys; block += BK * 8) {
    Tile<float, BQ, BK> sum;
    sum.clear();
    for (int d = 0; d < shape.depth / BD; ++d) {
      Tile<T, BQ, 1> q;
      Tile<T, 1, BK> k;
      q.load(queries + first * shape.stride + d * 8, shape.stride);
      k.load(keys + block + d * 8 * shape.keys, shape.keys);
      multiply(sum, q, k);
    }
    sum.store(&scores[0][0], BK * 8);
    simdgroup_barrier(mem_flags::mem_threadgroup);
    for (short at = lane; at < BQ * 8 * BK * 8; at += 32) {
      const short row = at / (BK * 8), key = at % (BK * 8);
      float score = scores[row][key] * scale;
      if (CAUSAL && block + key > first + row) score = -INFINITY;
      out[(first + row) * shape.keys + block + key] = exp(score) * float(values[block + key]);
    }
    simdgroup_barrier(mem_flags::mem_threadgroup);
  }
}

#define ATTENTION(T, BQ, BK, BD, CAUSAL)                                                                        \
  template [[host_name("attention_" #T "_bq" #BQ "_bk" #BK "_bd" #BD "_" #CAUSAL)]] [[kernel]]                  \
      decltype(attention<T, BQ, BK, BD, CAUSAL>) attention<T, BQ, BK, BD, CAUSAL>;
#define MASKS(T, BQ, BK, BD) ATTENTION(T, BQ, BK, BD, true) ATTENTION(T, BQ, BK, BD, false)
// For each N, 8 kernels:
MASKS(float, 1, 1, N) MASKS(half, 1, 1, N) MASKS(float, 1, 2, N) MASKS(half, 2, 1, N)
