// Reads of threadgroup and private memory that nothing wrote.
#include <metal_stdlib>
using namespace metal;

// kernel: edge_of_the_tile
// grid: 16
// threadgroup: 16
// in 0: float 0..15
// in 1: float 16*0
kernel void edge_of_the_tile(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                             uint i [[thread_position_in_threadgroup]]) {
  threadgroup float tile[18];
  tile[i + 1] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = tile[i] + tile[i + 2];  // expect: uninitialised
}

// Kept in private memory, shown by another lane, compared, and used as an address.
// kernel: kept_and_used_later
// grid: 16
// threadgroup: 16
// in 0: float 16*0
kernel void kept_and_used_later(device float* y [[buffer(0)]],
                                uint i [[thread_position_in_threadgroup]]) {
  threadgroup float tile[16];
  float kept[4];
  for (uint k = 0; k < 4; ++k) kept[k] = tile[(i + k) % 16];  // expect: uninitialised
  y[i] = kept[i % 4];
}

// kernel: shown_by_a_lane
// grid: 32
// threadgroup: 32
// in 0: float 32*0
kernel void shown_by_a_lane(device float* y [[buffer(0)]],
                            uint i [[thread_position_in_threadgroup]]) {
  threadgroup float tile[32];
  if (i > 0) tile[i] = 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float mine = tile[i];  // expect: uninitialised
  const float other = simd_shuffle(mine, ushort(i ^ 1));
  y[i] = i == 1 ? other : 0;
}

// kernel: decides_a_branch
// grid: 16
// threadgroup: 16
// in 0: float 16*0
kernel void decides_a_branch(device float* y [[buffer(0)]],
                             uint i [[thread_position_in_threadgroup]]) {
  threadgroup float tile[16];
  if (i < 8) tile[i] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (tile[i] > 1)  // expect: uninitialised
    for (uint k = 0; k < 16; ++k) y[k] += 1;
}

// kernel: counter_without_a_start
// grid: 16
// threadgroup: 16
// in 0: uint 16*0
kernel void counter_without_a_start(device uint* y [[buffer(0)]],
                                    uint i [[thread_position_in_threadgroup]]) {
  threadgroup atomic_uint count;
  atomic_fetch_add_explicit(&count, i & 1, memory_order_relaxed);  // expect: uninitialised
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = atomic_load_explicit(&count, memory_order_relaxed);
}

// kernel: sum_without_a_start
// grid: 4
// threadgroup: 4
// in 0: float 0..15
// in 1: float 4*0
kernel void sum_without_a_start(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                                uint i [[thread_position_in_grid]]) {
  float sum;
  for (uint k = 0; k < 4; ++k) sum += x[4 * i + k];  // expect: uninitialised
  y[i] = sum;
}

// kernel: one_way_sets_it
// grid: 8
// threadgroup: 8
// in 0: float -4..3
// in 1: float 8*0
kernel void one_way_sets_it(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                            uint i [[thread_position_in_grid]]) {
  float root;
  if (x[i] >= 0) root = sqrt(x[i]);
  y[i] = root;  // expect: uninitialised
}

// The sum of what was never written decides a branch.
// kernel: never_written_and_compared
// grid: 8
// threadgroup: 8
// in 0: float -4..3
// in 1: float 8*0
kernel void never_written_and_compared(device const float* x [[buffer(0)]],
                                       device float* y [[buffer(1)]],
                                       uint i [[thread_position_in_grid]]) {
  float root;
  if (x[i] >= 0) root = sqrt(x[i]);
  const float more = root + 1;  // expect: uninitialised
  const float chosen = select(0.0f, more, x[i] > 0);
  if (more > 2) y[i] = chosen;
}

// kernel: array_half_filled
// grid: 4
// threadgroup: 4
// in 0: uint 1 2 3 8
// in 1: uint 4*0
kernel void array_half_filled(device const uint* x [[buffer(0)]], device uint* y [[buffer(1)]],
                              uint i [[thread_position_in_grid]]) {
  uint row[8];
  for (uint k = 0; k < x[i]; ++k) row[k] = k;
  uint sum = 0;
  for (uint k = 0; k < 8; ++k) sum += row[k];  // expect: uninitialised
  y[i] = sum;
}

struct Pair {
  float low;
  float high;
};

// kernel: member_left_out
// grid: 4
// threadgroup: 4
// in 0: float 1..4
// in 1: float 4*0
kernel void member_left_out(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                            uint i [[thread_position_in_grid]]) {
  Pair pair;
  pair.low = x[i];
  if (i != 2) pair.high = 2 * x[i];
  y[i] = pair.low + pair.high;  // expect: uninitialised
}

// kernel: only_the_first_loads
// grid: 8
// threadgroup: 8
// shared 0: 32
// in 0: float 1..8
kernel void only_the_first_loads(device float* x [[buffer(0)]],
                                 threadgroup float* row [[threadgroup(0)]],
                                 uint i [[thread_position_in_threadgroup]]) {
  if (i == 0) row[0] = x[0];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = row[i];  // expect: uninitialised
}

// kernel: fresh_in_every_round
// grid: 4
// threadgroup: 4
// in 0: uint 4*0
kernel void fresh_in_every_round(device uint* y [[buffer(0)]],
                                 uint i [[thread_position_in_grid]]) {
  uint all = 0;
  for (uint round = 0; round < 4; ++round) {
    uint found;
    if (round != i) found = round;
    all += found;  // expect: uninitialised
  }
  y[i] = all;
}

void shift(thread float& value, float by) { value += by; }  // expect: uninitialised

// kernel: handed_to_a_helper
// grid: 4
// threadgroup: 4
// in 0: float 4*1
kernel void handed_to_a_helper(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float value;
  shift(value, y[i]);
  y[i] = value;
}

// Half of the last element is stored, and only that half is read.
// kernel: reads_the_stored_word_of_an_element
// grid: 32
// threadgroup: 32
// in 0: float 1..32
// out 1: ulong 16*0
// out 2: float 32*0
kernel void reads_the_stored_word_of_an_element(device const float* x [[buffer(0)]],
                                                device ulong* words [[buffer(1)]],
                                                device float* y [[buffer(2)]],
                                                uint t [[thread_index_in_threadgroup]]) {
  device uint* word = (device uint*)words;
  if (t < 31) word[t] = as_type<uint>(x[t]);  // expect: unstored
  threadgroup_barrier(mem_flags::mem_device);
  y[t] = t == 30 ? as_type<float>(word[t]) : 0;
}

// A pointer, a flag, components of half vectors, and a number that is kept, sent to another lane or
// given to an atomic.
// kernel: pointer_without_a_place
// grid: 8
// threadgroup: 8
// in 0: float -4..3
// in 1: float 8*0
kernel void pointer_without_a_place(device const float* x [[buffer(0)]],
                                    device float* y [[buffer(1)]],
                                    uint i [[thread_position_in_grid]]) {
  device const float* from;
  if (x[i] >= 0) from = x + i;
  if (i > 2) y[i] = *from;  // expect: uninitialised
}

// kernel: flag_without_a_value
// grid: 8
// threadgroup: 8
// in 0: float -4..3
// in 1: float 8*0
kernel void flag_without_a_value(device const float* x [[buffer(0)]],
                                 device float* y [[buffer(1)]],
                                 uint i [[thread_position_in_grid]]) {
  bool is_positive;
  if (x[i] != 0) is_positive = x[i] > 0;
  y[i] = is_positive ? 1 : 2;  // expect: uninitialised
}

// kernel: component_of_a_half_vector
// grid: 8
// threadgroup: 8
// in 0: float -4..3
// in 1: float 8*0
kernel void component_of_a_half_vector(device const float* x [[buffer(0)]],
                                       device float* y [[buffer(1)]],
                                       uint i [[thread_position_in_grid]]) {
  half3 parts;
  parts.xy = half2(x[i]);
  if (x[i] > 0) parts.z = 1;
  const half sum = parts.x + parts.y + parts.z;  // expect: uninitialised
  y[i] = float(sum);
}

// kernel: never_written_and_kept
// grid: 8
// threadgroup: 8
// in 0: float -4..3
// in 1: float 8*0
kernel void never_written_and_kept(device const float* x [[buffer(0)]],
                                   device float* y [[buffer(1)]],
                                   uint i [[thread_position_in_grid]]) {
  float root;
  if (x[i] >= 0) root = sqrt(x[i]);
  float kept[2] = {0, 0};
  kept[i % 2] = root;  // expect: uninitialised
  y[i] = x[i] >= 0 ? kept[i % 2] : 0;
}

// kernel: never_written_and_sent
// grid: 32
// threadgroup: 32
// in 0: float 32*0
kernel void never_written_and_sent(device float* y [[buffer(0)]],
                                   uint i [[thread_position_in_threadgroup]]) {
  float mine;
  if (i > 3) mine = i;
  const float other = simd_shuffle(mine, ushort(i ^ 1));  // expect: uninitialised
  y[i] = i == 1 ? other : 0;
}

// kernel: never_written_and_counted
// grid: 8
// threadgroup: 8
// in 0: float -4..3
// in 1: uint 8*0
kernel void never_written_and_counted(device const float* x [[buffer(0)]],
                                      device atomic_uint* y [[buffer(1)]],
                                      uint i [[thread_position_in_grid]]) {
  uint count;
  if (x[i] > 0) count = i;
  atomic_fetch_add_explicit(y, count, memory_order_relaxed);  // expect: uninitialised
}

// kernel: bound_of_a_loop
// grid: 8
// threadgroup: 8
// in 0: float -4..3
// in 1: float 8*0
kernel void bound_of_a_loop(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                            uint i [[thread_position_in_grid]]) {
  uint end;
  if (x[i] > 0) end = i;
  float sum = 0;
  for (uint k = 0; k < min(end, 8u); ++k) sum += x[k];  // expect: uninitialised
  y[i] = sum;
}
