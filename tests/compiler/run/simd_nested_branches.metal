// A loop in which a thread waits in some iterations and not in others, under conditions on which all
// threads agree: without care it has an entry for each place at which threads resume.
// grid: 128
// threadgroup: 128
// in 1: float 0 3 6 1 7 2 5 0 6 1 4 7 5 0 3 6 4 7 2 5 3 6 1 4 2 5 0 3 1 4 7 2 0 3 6 1 7 2 5 0 6 1 4
// in 1: float 7 5 0 3 6 4 7 2 5 3 6 1 4 2 5 0 3 1 4 7 2 0 3 6 1 7 2 5 0 6 1 4 7 5 0 3 6 4 7 2 5 3 6
// in 1: float 1 4 2 5 0 3 1 4 7 2 0 3 6 1 7 2 5 0 6 1 4 7 5 0 3 6 4 7 2 5 3 6 1 4 2 5 0 3 1 4 7 2 0
// in 1: float 3 6 1 7 2 5 0 6 1 4 7 5 0 3 6 4 7 2 5 3 6 1 4 2 5 0 3 1 4 7 2 0 3 6 1 7 2 5 0 6 1 4 7
// in 1: float 5 0 3 6 4 7 2 5 3 6 1 4 2 5 0 3 1 4 7 2 0 3 6 1 7 2 5 0 6 1 4 7 5 0 3 6 4 7 2 5 3 6 1
// in 1: float 4 2 5 0 3 1 4 7 2 0 3 6 1 7 2 5 0 6 1 4 7 5 0 3 6 4 7 2 5 3 6 1 4 2 5 0 3 1 4 7 2 0 3
// in 1: float 6 1 7 2 5 0 6 1 4 7 5 0 3 6 4 7 2 5 3 6 1 4 2 5 0 3 1 4 7 2 0 3 6 1 7 2 5 0 6 1 4 7 5
// in 1: float 0 3 6 4 7 2 5 3 6 1 4 2 5 0 3 1 4 7 2 0 3 6 1 7 2 5 0 6 1 4 7 5 0 3 6 4 7 2 5 3 6 1 4
// in 1: float 2 5 0 3 1 4 7 2 0 3 6 1 7 2 5 0 6 1 4 7 5 0 3 6 4 7 2 5 3 6 1 4 2 5 0 3 1 4 7 2 0 3 6
// in 1: float 1 7 2 5 0 6 1 4 7 5 0 3 6 4 7 2 5 3 6 1 4 2 5 0 3 1 4 7 2 0 3 6 1 7 2 5 0 6 1 4 7 5 0
// in 1: float 3 6 4 7 2 5 3 6 1 4 2 5 0 3 1 4 7 2 0 3 6 1 7 2 5 0 6 1 4 7 5 0 3 6 4 7 2 5 3 6 1 4 2
// in 1: float 5 0 3 1 4 7 2 0 3 6 1 7 2 5 0 6 1 4 7 5 0 3 6 4 7 2 5 3 6 1 4 2 5 0 3 1 4 7 2
// in 2: uint 3
// out 0: float 6 5 0 1 5 5 0 0 0 5 0 7 7 5 0 6 2 5 0 5 1 5 0 4 4 5 0 3 3 5 0 2 6 5 0 1 5 5 0 0 0 5
// out 0: float 0 7 7 5 0 6 2 5 0 5 1 5 0 4 4 5 0 3 3 5 0 2 6 5 0 1 5 5 0 0 0 5 0 7 7 5 0 6 2 5 0 5
// out 0: float 1 5 0 4 4 5 0 3 3 5 0 2 6 5 0 1 5 5 0 0 0 5 0 7 7 5 0 6 2 5 0 5 1 5 0 4 4 5 0 3 3 5
// out 0: float 0 2 6 5 0 1 5 5 0 0 0 5 0 7 7 5 0 6 2 5 0 5 1 5 0 4 4 5 0 3 3 5 0 2 6 5 0 1 5 5 0 0
// out 0: float 0 5 0 7 7 5 0 6 2 5 0 5 1 5 0 4 4 5 0 3 3 5 0 2 6 5 0 1 5 5 0 0 0 5 0 7 7 5 0 6 2 5
// out 0: float 0 5 1 5 0 4 4 5 0 3 3 5 0 2 6 5 0 1 5 5 0 0 0 5 0 7 7 5 0 6 2 5 0 5 1 5 0 4 4 5 0 3
// out 0: float 3 5 0 2 6 5 0 1 5 5 0 0 0 5 0 7 7 5 0 6 2 5 0 5 1 5 0 4 4 5 0 3 3 5 0 2 6 5 0 1 5 5
// out 0: float 0 0 0 5 0 7 7 5 0 6 2 5 0 5 1 5 0 4 4 5 0 3 3 5 0 2 6 5 0 1 5 5 0 0 0 5 0 7 7 5 0 6
// out 0: float 2 5 0 5 1 5 0 4 4 5 0 3 3 5 0 2 6 5 0 1 5 5 0 0 0 5 0 7 7 5 0 6 2 5 0 5 1 5 0 4 4 5
// out 0: float 0 3 3 5 0 2 6 5 0 1 5 5 0 0 0 5 0 7 7 5 0 6 2 5 0 5 1 5 0 4 4 5 0 3 3 5 0 2 6 5 0 1
// out 0: float 5 5 0 0 0 5 0 7 7 5 0 6 2 5 0 5 1 5 0 4 4 5 0 3 3 5 0 2 6 5 0 1 5 5 0 0 0 5 0 7 7 5
// out 0: float 0 6 2 5 0 5 1 5 0 4 4 5 0 3 3 5 0 2 6 5 0 1 5 5 0 0 0 5 0 7 7 5 0 6 2 5 0 5 1 5 0 4
// out 0: float 4 5 0 3 3 5 0 2
#include <metal_stdlib>
using namespace metal;

kernel void nested(device float* out, device const float* in, constant uint& n,
                   uint i [[thread_position_in_grid]]) {
  float r[4];
  for (uint j = 0; j < 4; ++j) r[j] = in[i * 4 + j];
  for (uint l = 0; l < 6; ++l)
    if (l < n) {
      uint k = n >> l & 31;
      if (k) {
        r[0] = simd_shuffle_xor(r[0], ushort(k));
        r[1] = simd_broadcast(r[0] + r[1], ushort(k));
        r[2] = simd_shuffle_xor(r[1] * r[2], ushort(k));
        r[3] += simd_sum(r[2]);
      }
    }
  for (uint j = 0; j < 4; ++j) out[i * 4 + j] = r[j];
}
