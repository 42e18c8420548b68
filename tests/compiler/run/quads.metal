// Functions among the four lanes of a quadgroup.
#include <metal_stdlib>
using namespace metal;

// grid: 12
// threadgroup: 12
// in 0: int 2 7 12 4 9 1 6 11 3 8 0 5
// out 1: int 25 25 25 25 27 27 27 27 16 16 16 16
// out 1: int 12 12 12 12 11 11 11 11 8 8 8 8
// out 1: int 2 2 2 2 1 1 1 1 0 0 0 0
// out 1: int 672 672 672 672 594 594 594 594 0 0 0 0
// out 1: int 13 13 13 13 5 5 5 5 14 14 14 14
// out 1: int 7 2 4 12 1 9 11 6 8 3 5 0
// out 1: int 4 12 7 2 11 6 1 9 5 0 8 3
// out 1: int 12 12 12 12 6 6 6 6 0 0 0 0
// out 1: int 2 2 2 2 9 9 9 9 3 3 3 3
// out 1: int 7 12 4 2 1 6 11 9 8 0 5 3
// out 1: int 4 2 7 12 11 9 1 6 5 3 8 0
// out 1: int 2 9 21 25 9 10 16 27 3 11 11 16
// out 1: int 0 2 9 21 0 9 10 16 0 3 11 11
// out 1: int 1 1 1 1 0 0 0 0 0 0 0 0
// out 1: int 0 0 0 0 1 1 1 1 1 1 1 1
// out 1: int 13 13 13 13 4 4 4 4 6 6 6 6
// out 1: int 9 9 -16 -16 10 10 -17 -17 11 11 -5 -5
kernel void quads(device const int* in [[buffer(0)]], device int* out [[buffer(1)]],
                  uint i [[thread_position_in_grid]], uint lane [[thread_index_in_quadgroup]]) {
  const int x = in[i];
  out[0 + i] = quad_sum(x);
  out[12 + i] = quad_max(x);
  out[24 + i] = quad_min(x);
  out[36 + i] = quad_product(x);
  out[48 + i] = quad_xor(x);
  out[60 + i] = quad_shuffle_xor(x, 1);
  out[72 + i] = quad_shuffle(x, ushort(3 - lane));
  out[84 + i] = quad_broadcast(x, 2);
  out[96 + i] = quad_broadcast_first(x);
  out[108 + i] = quad_shuffle_rotate_down(x, 1);
  out[120 + i] = quad_shuffle_rotate_up(x, 1);
  out[132 + i] = quad_prefix_inclusive_sum(x);
  out[144 + i] = quad_prefix_exclusive_sum(x);
  out[156 + i] = int(quad_any(x == 12));
  out[168 + i] = int(quad_all(x < 12));
  out[180 + i] = int(quad_vote::vote_t(quad_ballot(x % 2 == 0)));
  out[192 + i] = lane < 2 ? quad_sum(x) : quad_sum(-x);
}
