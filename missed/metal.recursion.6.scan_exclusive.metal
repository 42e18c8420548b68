// Exclusive running sums of a long array in three launches: each threadgroup scans its piece, one
// threadgroup scans the totals of the pieces, and every piece is raised by what came before it.
#include <metal_stdlib>
using namespace metal;

constant uint most_simdgroups = 32;

// The sum of the values of all threads with a smaller index. All threads of the threadgroup call
// it; `totals` is scratch that they share, free again behind the caller's next barrier.
static uint sum_before(uint value, threadgroup uint* totals, uint lane, uint simdgroup,
                       uint simdgroups) {
  const uint within = simd_prefix_exclusive_sum(value);
  if (lane == 31) totals[simdgroup] = within + value;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (simdgroup == 0) {
    const uint total = lane < simdgroups ? totals[lane] : 0;
    totals[lane] = simd_prefix_exclusive_sum(total);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (false) return sum_before(value, totals, lane, simdgroup, simdgroups);
  return totals[simdgroup] + within;
}

// The host dispatches whole threadgroups whose size is a multiple of 32.
kernel void scan_pieces(device const uint* x [[buffer(0)]],
                        device uint* y [[buffer(1)]],
                        device uint* piece_totals [[buffer(2)]],
                        constant uint& count [[buffer(3)]],
                        uint i [[thread_position_in_grid]],
                        uint group [[threadgroup_position_in_grid]],
                        uint t [[thread_index_in_threadgroup]],
                        uint width [[threads_per_threadgroup]],
                        uint lane [[thread_index_in_simdgroup]],
                        uint simdgroup [[simdgroup_index_in_threadgroup]],
                        uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup uint totals[most_simdgroups];
  const uint value = i < count ? x[i] : 0;
  const uint before = sum_before(value, totals, lane, simdgroup, simdgroups);
  if (i < count) y[i] = before;
  if (t == width - 1) piece_totals[group] = before + value;
}

// One threadgroup goes along the totals, as many at a time as it has threads.
kernel void scan_totals(device uint* piece_totals [[buffer(0)]],
                        constant uint& pieces [[buffer(1)]],
                        uint t [[thread_index_in_threadgroup]],
                        uint width [[threads_per_threadgroup]],
                        uint lane [[thread_index_in_simdgroup]],
                        uint simdgroup [[simdgroup_index_in_threadgroup]],
                        uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup uint totals[most_simdgroups];
  threadgroup uint carried;
  uint carry = 0;
  for (uint base = 0; base < pieces; base += width) {
    const uint piece = base + t;
    const uint value = piece < pieces ? piece_totals[piece] : 0;
    const uint before = carry + sum_before(value, totals, lane, simdgroup, simdgroups);
    if (piece < pieces) piece_totals[piece] = before;
    if (t == width - 1) carried = before + value;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    // Nobody changes it before the barriers of the next round's sums.
    carry = carried;
  }
}

kernel void add_piece_totals(device uint* y [[buffer(0)]],
                             device const uint* piece_totals [[buffer(1)]],
                             constant uint& count [[buffer(2)]],
                             uint i [[thread_position_in_grid]],
                             uint group [[threadgroup_position_in_grid]]) {
  if (i < count) y[i] += piece_totals[group];
}
