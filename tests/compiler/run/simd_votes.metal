// Votes, and who is there.
#include <metal_stdlib>
using namespace metal;

// kernel: votes
// grid: 32
// threadgroup: 32
// out 0: uint 32*0x24924924
// out 1: uchar 32*1 32*0 32*0 32*1 1 31*0
// out 2: uint 32*0xffffffff
kernel void votes(device uint* ballot [[buffer(0)]], device uchar* out [[buffer(1)]],
                  device uint* active [[buffer(2)]], uint lane [[thread_index_in_simdgroup]]) {
  ballot[lane] = uint(simd_vote::vote_t(simd_ballot(lane % 3 == 2)));
  out[lane] = simd_any(lane == 7);
  out[32 + lane] = simd_all(lane < 31);
  out[64 + lane] = simd_any(lane > 31);
  out[96 + lane] = simd_all(lane < 32);
  out[128 + lane] = simd_is_first();
  active[lane] = uint(simd_vote::vote_t(simd_active_threads_mask()));
}

// kernel: of_some
// grid: 32
// threadgroup: 32
// in 0: uint 32*7
// out 0: uint 3*7 0x3f8 0x3f8 0x3f8 0x3f8 0x3f8 0x3f8 0x3f8 22*7
// in 1: uchar 32*9
// out 1: uchar 3*9 1 6*0 22*9
kernel void of_some(device uint* active [[buffer(0)]], device uchar* first [[buffer(1)]],
                    uint lane [[thread_index_in_simdgroup]]) {
  if (lane >= 3 && lane < 10) {
    active[lane] = uint(simd_vote::vote_t(simd_active_threads_mask()));
    first[lane] = simd_is_first();
  }
}
