// kernel: masked
// grid: 2
// threadgroup: 2
// in 0: uchar 1 0 1 1 0
// in 1: int 4
// out 2: float 1 4 21 0
// kernel: classes
// grid: 6
// threadgroup: 6
// in 0: ushort 0 1 15360 31744 65024 64512
// out 1: uint 6 2 3 1 0 1
// kernel: moved
// grid: 4
// threadgroup: 4
// in 0: uint 1 2 3 4
// out 1: uint 2 3 4 4
#include <metal_stdlib>
using namespace metal;

// Vectors of bool whose elements are filled in branches of loops that are unrolled.
template <typename T>
struct Fragment {
  typedef vec<T, 2> type;
  static void load(thread type& to, const device T* from, int first, int count) {
#pragma clang loop unroll(full)
    for (int j = 0; j < 2; ++j) {
      if (first + j < count)
        to[j] = static_cast<T>(from[first + j]);
      else
        to[j] = T(0);
    }
  }
};
template <typename M>
[[kernel]] void masked_by(const device M* mask, constant int& count, device float* out,
                          uint i [[thread_position_in_grid]]) {
  float2 sums[2];
  for (int k = 0; k < 2; ++k) sums[k] = float2(1, 2) * (k + 1);
#pragma clang loop unroll(full)
  for (int k = 0; k < 2; ++k) {
    typename Fragment<M>::type m;
    Fragment<M>::load(m, mask, int(i) * 2 + k, count);
#pragma clang loop unroll(full)
    for (int j = 0; j < 2; ++j) sums[k][j] = m[j] ? sums[k][j] : 0;
  }
  out[2 * i] = sums[0].x + 8 * sums[0].y + 2 * sums[1].x;
  out[2 * i + 1] = sums[1].y;
}
template [[host_name("masked")]] [[kernel]] void masked_by<bool>(const device bool*, constant int&,
                                                                 device float*, uint);

// 1: infinite or normal, 2: finite, 4: zero
kernel void classes(const device half* x, device uint* out, uint i [[thread_position_in_grid]]) {
  out[i] = uint(isinf(x[i]) || isnormal(x[i])) + (isfinite(x[i]) ? 2 : 0) + (x[i] == 0 ? 4 : 0);
}

struct Block {
  uint words[32];
};
// A block that moves from device to threadgroup memory as a whole.
kernel void moved(const device uint* x, device uint* out, uint i [[thread_index_in_threadgroup]]) {
  threadgroup Block blocks[2];
  if (i == 0) {
    Block block = {};
    for (uint k = 0; k < 4; ++k) block.words[k] = x[k];
    blocks[0] = block;
    blocks[1] = blocks[0];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = blocks[1].words[min(i + 1, 3u)];
}
