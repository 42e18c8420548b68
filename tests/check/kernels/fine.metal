// Kernels without a fault, some of which look as if they had one.
#include <metal_stdlib>
using namespace metal;

// kernel: same_value_by_all
// grid: 16
// threadgroup: 16
// in 0: uint 16*3
kernel void same_value_by_all(device uint* y [[buffer(0)]],
                              uint i [[thread_position_in_threadgroup]]) {
  threadgroup uint length;
  length = 7;
  y[i] += length;
}

// kernel: flag_raised_by_many
// grid: 64
// threadgroup: 16
// in 0: uint 0..63
// in 1: uint 0
kernel void flag_raised_by_many(device const uint* x [[buffer(0)]], device uint* found [[buffer(1)]],
                                uint i [[thread_position_in_grid]]) {
  if (x[i] % 7 == 0) *found = 1;
}

// kernel: neighbours_as_bytes
// grid: 64
// threadgroup: 16
// in 0: char 64*1
kernel void neighbours_as_bytes(device char* spins [[buffer(0)]],
                                uint i [[thread_position_in_grid]]) {
  if (i & 1) return;
  const int around = spins[(i + 63) % 64] + spins[(i + 1) % 64];
  if (around > 0) spins[i] = char(-spins[i]);
}

// kernel: wraps_on_purpose
// grid: 8 8
// threadgroup: 8 8
// in 0: float 64*1
// in 1: float 64*2
kernel void wraps_on_purpose(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                             uint2 p [[thread_position_in_grid]]) {
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const uint at = p.y * 8 + uint(dy) * 8 + p.x + uint(dx);
      if (at < 64) sum += x[at];
    }
  uint hash = (p.x * 2654435761u) ^ (p.y * 2246822519u);
  y[p.y * 8 + p.x] = sum + x[hash % 64] + x[hash >> 26];
}

// kernel: reduction
// grid: 128
// threadgroup: 64
// in 0: float 1..128
// in 1: float 2*0
kernel void reduction(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                      uint i [[thread_position_in_grid]],
                      uint t [[thread_position_in_threadgroup]],
                      uint g [[threadgroup_position_in_grid]],
                      uint simdgroup [[simdgroup_index_in_threadgroup]],
                      uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float part[2];
  const float sum = simd_sum(x[i]);
  if (lane == 0) part[simdgroup] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 2) {
    const float all = simd_sum(part[t]);
    if (t == 0) y[g] = all;
  }
}

// kernel: tree_with_simdgroup_barriers
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: float 2*0
kernel void tree_with_simdgroup_barriers(device const float* x [[buffer(0)]],
                                         device float* y [[buffer(1)]],
                                         uint i [[thread_position_in_threadgroup]],
                                         uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float part[64];
  part[i] = x[i];
  for (uint distance = 16; distance > 0; distance /= 2) {
    simdgroup_barrier(mem_flags::mem_threadgroup);
    if (lane < distance) part[i] += part[i + distance];
  }
  if (lane == 0) y[i / 32] = part[i];
}

// kernel: double_buffer
// grid: 16
// threadgroup: 16
// in 0: float 1..16
// in 1: float 16*0
kernel void double_buffer(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                          uint i [[thread_position_in_threadgroup]]) {
  threadgroup float rows[2][18];
  for (uint k = i; k < 36; k += 16) rows[k / 18][k % 18] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  rows[0][i + 1] = x[i];
  for (uint round = 0; round < 6; ++round) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    threadgroup float* from = rows[round & 1];
    threadgroup float* to = rows[1 - (round & 1)];
    to[i + 1] = from[i] + from[i + 2];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = rows[0][i + 1];
}

// kernel: groups_pass_work_by_atomics
// grid: 64
// threadgroup: 16
// in 0: uint 0
// in 1: uint 64*0
kernel void groups_pass_work_by_atomics(device atomic_uint* next [[buffer(0)]],
                                        device uint* y [[buffer(1)]],
                                        uint i [[thread_position_in_grid]]) {
  const uint mine = atomic_fetch_add_explicit(next, 1, memory_order_relaxed);
  y[mine] = i;
}

// kernel: vectors_built_part_by_part
// grid: 8
// threadgroup: 8
// in 0: float 1..24
// in 1: float 32*0
kernel void vectors_built_part_by_part(device const packed_float3* x [[buffer(0)]],
                                       device float4* y [[buffer(1)]],
                                       uint i [[thread_position_in_grid]]) {
  float4 v;
  v.x = x[i][0];
  v.yz = float2(x[i][1], x[i][2]);
  for (int k = 3; k < 4; ++k) v[k] = 1;
  float3x3 m;
  for (int c = 0; c < 3; ++c) m[c] = v.xyz * float(c);
  float3 unused_then_set;
  unused_then_set = m * v.xyz;
  y[i] = float4(unused_then_set, v.w);
}

// kernel: part_of_a_group
// grid: 40
// threadgroup: 16
// in 0: float 0..39
// in 1: float 40*0
kernel void part_of_a_group(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                            uint i [[thread_position_in_grid]],
                            uint t [[thread_position_in_threadgroup]],
                            uint n [[threads_per_threadgroup]]) {
  threadgroup float tile[16];
  tile[t] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = tile[n - 1 - t];
}

// kernel: stack_of_its_own
// grid: 8
// threadgroup: 8
// in 0: uint 1..8
kernel void stack_of_its_own(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint stack[16];
  uint top = 0, sum = 0;
  stack[top++] = x[i];
  while (top > 0) {
    const uint value = stack[--top];
    sum += value;
    if (value > 1) {
      stack[top++] = value / 2;
      stack[top++] = value - value / 2 - 1;
    }
  }
  x[i] = sum;
}

// kernel: same_line_for_all_threads
// grid: 32
// threadgroup: 32
// in 0: uint 0..31
kernel void same_line_for_all_threads(device uint* x [[buffer(0)]],
                                      uint lane [[thread_index_in_simdgroup]]) {
  uint value = x[lane];
  if (lane < 16) value = simd_shuffle_xor(value, 8);
  value += simd_shuffle_up(value, 1);
  value += simd_shuffle_down(value, 1);
  x[lane] = simd_broadcast_first(value);
}

struct State {
  float4 position;
  uint count;
};

void advance(thread State& state, float by) {
  state.position += by;
  state.count++;
}

// kernel: copies_of_structures
// grid: 8
// threadgroup: 8
// in 0: float 1..8
kernel void copies_of_structures(device float* x [[buffer(0)]],
                                 uint i [[thread_position_in_grid]]) {
  State a = {float4(x[i]), 0};
  State b = a;
  State history[3];
  for (uint k = 0; k < 3; ++k) {
    advance(b, float(k));
    history[k] = b;
  }
  x[i] = history[i % 3].position.y + float(history[(i + 1) % 3].count);
}

// kernel: same_vectors_by_all
// grid: 8
// threadgroup: 8
// in 0: float 1..24
// in 1: float 8*0
kernel void same_vectors_by_all(device const packed_float3* x [[buffer(0)]],
                                device float* y [[buffer(1)]],
                                uint i [[thread_position_in_threadgroup]]) {
  threadgroup float3 block[8];
  for (uint k = i % 4; k < 8; ++k) block[k] = x[k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (uint k = 4; k < 8; ++k) sum += dot(block[k], block[i]);
  y[i] = sum;
}

// kernel: lanes_whose_words_nobody_wants
// grid: 16 2
// threadgroup: 16 2
// in 0: float 1..32
// in 1: float 32*0
// in 2: uint 13
kernel void lanes_whose_words_nobody_wants(device const float* x [[buffer(0)]],
                                           device float* y [[buffer(1)]],
                                           constant uint& n [[buffer(2)]],
                                           uint2 p [[thread_position_in_grid]]) {
  if (p.x >= n) return;
  const uint at = p.y * 16 + p.x;
  const float left = simd_shuffle_up(x[at], 1);
  const float right = simd_shuffle_down(x[at], 1);
  float around = 0;
  if (p.x > 0) around += left;
  if (p.x + 1 < n) around += right;
  y[at] = around;
}

// kernel: first_lanes_of_a_small_threadgroup
// grid: 20
// threadgroup: 20
// in 0: float 20*1
// in 1: float 0
kernel void first_lanes_of_a_small_threadgroup(device const float* x [[buffer(0)]],
                                               device float* y [[buffer(1)]],
                                               uint lane [[thread_index_in_simdgroup]]) {
  float sum = x[lane];
  for (ushort distance = 4; distance > 0; distance /= 2) sum += simd_shuffle_down(sum, distance);
  if (lane == 0) y[0] = sum;
}

// Three components of a vector that was never written are stored, and only they are read.
// kernel: stores_some_components
// grid: 64
// threadgroup: 64
// in 0: float 1..64
kernel void stores_some_components(device float* x [[buffer(0)]],
                                   uint t [[thread_index_in_threadgroup]]) {
  threadgroup float4 v[64];
  v[t].xyz = float3(x[t], 1, 2);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = v[t ^ 1].x + v[t].y + v[t].z;
}

// A halo that is never filled where the field ends: the threads at the edge discard what they read there.
// kernel: halo_never_filled
// grid: 40
// threadgroup: 32
// in 0: float 1..40
// in 1: float 40*0
// in 2: uint 40
kernel void halo_never_filled(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                              constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]],
                              uint t [[thread_position_in_threadgroup]],
                              uint size [[threads_per_threadgroup]]) {
  threadgroup float tile[34];
  tile[t + 1] = x[i];
  if (t == 0 && i > 0) tile[0] = x[i - 1];
  if (t + 1 == size && i + 1 < n) tile[t + 2] = x[i + 1];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float sum = tile[t] + tile[t + 2];
  y[i] = i == 0 || i + 1 == n ? x[i] : 0.5f * sum;
}

// The same of vectors, of which a choice takes each component by itself.
// kernel: vectors_never_filled
// grid: 32
// threadgroup: 32
// in 0: float 32*0
kernel void vectors_never_filled(device float* y [[buffer(0)]],
                                 uint t [[thread_position_in_threadgroup]]) {
  threadgroup float4 tile[32];
  if (t < 16) tile[t] = float4(1, 2, 3, 4);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float4 read = tile[t] * 2;
  if (t < 16) y[t] = read.x + read.w;
}

// An exchange that fails changes nothing, so that plain reads beside it are no race.
// kernel: exchanges_that_fail
// grid: 64
// threadgroup: 64
// in 0: uint 7
// in 1: uint 64*0
kernel void exchanges_that_fail(device uint* lock [[buffer(0)]], device uint* y [[buffer(1)]],
                                uint t [[thread_index_in_threadgroup]]) {
  uint wanted = 3;
  atomic_compare_exchange_weak_explicit((device atomic_uint*)lock, &wanted, 1u,
                                        memory_order_relaxed, memory_order_relaxed);
  y[t] = *lock + wanted;
}

// The last threadgroup sets the counter back for the next launch: all sums have come before.
// kernel: last_one_sets_back
// grid: 128
// threadgroup: 32
// in 0: uint 0
// in 1: uint 128*0
kernel void last_one_sets_back(device atomic_uint* counter [[buffer(0)]],
                               device uint* y [[buffer(1)]],
                               uint i [[thread_position_in_grid]]) {
  const uint before = atomic_fetch_add_explicit(counter, 1u, memory_order_relaxed);
  if (before == 127) atomic_store_explicit(counter, 0u, memory_order_relaxed);
  y[i] = before;
}

// To add nothing is to load.
// kernel: polls_by_adding_nothing
// grid: 64
// threadgroup: 64
// in 0: uint 0
// in 1: uint 64*0
kernel void polls_by_adding_nothing(device atomic_uint* flag [[buffer(0)]],
                                    device uint* y [[buffer(1)]],
                                    uint i [[thread_position_in_grid]]) {
  if (i == 0) atomic_store_explicit(flag, 1u, memory_order_relaxed);
  y[i] = atomic_fetch_add_explicit(flag, 0u, memory_order_relaxed);
}

// A hash wraps around on purpose.
// kernel: hash_of_the_position
// grid: 64
// threadgroup: 64
// in 0: uint 64*0
kernel void hash_of_the_position(device atomic_uint* bins [[buffer(0)]],
                                 uint i [[thread_position_in_grid]]) {
  const uint hash = i * 2654435769u;
  atomic_fetch_add_explicit(&bins[(hash >> 16) % 64], 1u, memory_order_relaxed);
  atomic_fetch_add_explicit(&bins[hash / 1000 % 64], 1u, memory_order_relaxed);
}

// kernel: from_a_bound_offset_on
// grid: 16
// threadgroup: 16
// in 0 at 16: float 1..20
// in 1 at 32: float 24*0
kernel void from_a_bound_offset_on(device const float* x [[buffer(0)]],
                                   device float* y [[buffer(1)]],
                                   uint i [[thread_position_in_grid]]) {
  y[15 - i] = x[i];
}

// All lanes of a simdgroup meet at its barrier; other simdgroups go another way.
// kernel: simdgroups_go_their_ways
// grid: 64
// threadgroup: 64
// in 0: float 64*1
kernel void simdgroups_go_their_ways(device float* x [[buffer(0)]],
                                     uint t [[thread_index_in_threadgroup]],
                                     uint simdgroup [[simdgroup_index_in_threadgroup]]) {
  threadgroup float sums[64];
  sums[t] = x[t];
  if (simdgroup == 1) {
    simdgroup_barrier(mem_flags::mem_threadgroup);
    sums[t] += x[t] + simd_shuffle_xor(x[t], 1);
  }
  for (uint k = 0; k < t % 4; ++k) x[t] += simd_sum(1.0f);
  x[t] += sums[t];
}

// The value is dropped: the variable keeps the compiler from moving code.
// kernel: reads_for_the_compiler_alone
// grid: 32
// threadgroup: 32
// in 0: float 32*1
kernel void reads_for_the_compiler_alone(device float* x [[buffer(0)]],
                                         uint t [[thread_index_in_threadgroup]]) {
  volatile int barrier;
  x[t] += 1;
  (void)barrier;
}

// kernel: many_simdgroup_barriers_between
// grid: 32
// threadgroup: 32
// in 0: uint 1..32
// in 1: uint 128
kernel void many_simdgroup_barriers_between(device uint* x [[buffer(0)]],
                                            constant uint& steps [[buffer(1)]],
                                            uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint tile[32];
  tile[t] = x[t];
  for (uint k = 0; k < steps; ++k) simdgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = tile[31 - t];
}

// With accesses before and after the last barrier that is counted.
// kernel: more_simdgroup_barriers_than_are_counted
// grid: 32
// threadgroup: 32
// in 0: uint 1..32
// in 1: uint 512
kernel void more_simdgroup_barriers_than_are_counted(device uint* x [[buffer(0)]],
                                                     constant uint& steps [[buffer(1)]],
                                                     uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint tile[32];
  tile[t] = x[t];
  for (uint k = 0; k < steps; ++k) simdgroup_barrier(mem_flags::mem_threadgroup);
  const uint other = tile[31 - t];
  for (uint k = 0; k < steps; ++k) simdgroup_barrier(mem_flags::mem_threadgroup);
  tile[t] = other + 1;
  for (uint k = 0; k < steps; ++k) simdgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = tile[31 - t];
}

// kernel: many_barriers_between
// grid: 64
// threadgroup: 64
// in 0: uint 1..64
// in 1: uint 16384
kernel void many_barriers_between(device uint* x [[buffer(0)]], constant uint& steps [[buffer(1)]],
                                  uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint tile[64];
  tile[t] = x[t];
  for (uint k = 0; k < steps; ++k) threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = tile[63 - t];
}

struct Tagged {
  uchar tag;
  packed_float3 position;
  packed_char4 colour;
};

struct Bytes {
  uchar all[6];
};

struct Place {
  packed_float3 position;
};

struct Words {
  uint a, b, c;
};

// kernel: structures_of_bytes_lie_anywhere
// grid: 4
// threadgroup: 4
// in 0: uchar 0..31
// in 1: uchar 32*0
kernel void structures_of_bytes_lie_anywhere(device const uchar* x [[buffer(0)]],
                                             device uchar* y [[buffer(1)]],
                                             uint i [[thread_position_in_grid]]) {
  uchar some[13];
  for (uint k = 0; k < 13; ++k) some[k] = x[k + i];
  const Bytes bytes = *(thread const Bytes*)(some + i);
  *(device Bytes*)(y + 1 + 6 * i) = bytes;
}

// kernel: structures_of_packed_vectors_lie_at_words
// grid: 4
// threadgroup: 4
// in 0: float 0..15
// in 1: float 16*0
kernel void structures_of_packed_vectors_lie_at_words(device const float* x [[buffer(0)]],
                                                      device float* y [[buffer(1)]],
                                                      uint i [[thread_position_in_threadgroup]]) {
  threadgroup float tile[16];
  for (uint k = 0; k < 4; ++k) tile[4 * i + k] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  *(threadgroup Place*)(tile + 1 + 3 * i) = *(device const Place*)(x + 1 + 3 * i);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  *(device Place*)(y + 2 + 3 * i) = *(threadgroup const Place*)(tile + 1 + 3 * i);
}

// kernel: structures_with_gaps
// grid: 4
// threadgroup: 4
// in 0: uchar 0..79
// in 1: uchar 80*0
kernel void structures_with_gaps(device const Tagged* x [[buffer(0)]],
                                 device Tagged* y [[buffer(1)]],
                                 uint i [[thread_position_in_grid]]) {
  Tagged both[2];
  both[i & 1] = x[i];
  both[1 - (i & 1)] = x[(i + 1) % 4];
  y[i] = both[i & 1];
}

// kernel: structures_among_words
// grid: 4
// threadgroup: 4
// in 0: uint 0..15
// in 1: uint 16*0
kernel void structures_among_words(device const uint* x [[buffer(0)]], device uint* y [[buffer(1)]],
                                   uint i [[thread_position_in_grid]]) {
  uint words[7];
  for (uint k = 0; k < 7; ++k) words[k] = x[k + i];
  const Words some = *(thread const Words*)(words + i);
  *(device Words*)(y + 1 + 3 * i) = some;
}

struct Four {
  uint a, b, c, d;
};

union Slot {
  float4 vector;
  Four four;
};

// kernel: member_of_a_union
// grid: 4
// threadgroup: 4
// in 0: uint 0..15
// in 1: uint 16*0
kernel void member_of_a_union(device const uint* x [[buffer(0)]], device Slot* y [[buffer(1)]],
                              uint i [[thread_position_in_grid]]) {
  uint words[8];
  for (uint k = 0; k < 8; ++k) words[k] = x[k + i];
  Slot slot;
  slot.four = *(thread const Four*)(words + i);
  y[i] = slot;
}

struct Floats {
  float x, y;
};

struct PairOfFloats {
  float2 both;
};

// kernel: structure_of_a_vector_from_floats
// grid: 4
// threadgroup: 4
// in 0: float 0..15
// in 1: float 16*0
kernel void structure_of_a_vector_from_floats(device const float* x [[buffer(0)]],
                                              device PairOfFloats* y [[buffer(1)]],
                                              uint t [[thread_position_in_threadgroup]]) {
  threadgroup float tile[16];
  for (uint k = 0; k < 4; ++k) tile[4 * t + k] = x[4 * t + k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  PairOfFloats pair;
  *(thread Floats*)&pair = *(threadgroup const Floats*)(tile + 1 + t);
  y[t] = pair;
}

struct __attribute__((packed)) TaggedPair {
  uchar tag;
  PairOfFloats pair;
};

// kernel: member_of_a_packed_structure
// grid: 4
// threadgroup: 4
// in 0: float 0..7
// in 1: float 8*0
kernel void member_of_a_packed_structure(device const PairOfFloats* x [[buffer(0)]],
                                         device PairOfFloats* y [[buffer(1)]],
                                         uint t [[thread_position_in_threadgroup]]) {
  threadgroup TaggedPair tile[4];
  tile[t].tag = uchar(t);
  tile[t].pair = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  TaggedPair own = tile[3 - t];
  own.pair = tile[t ^ 1].pair;
  y[t] = own.pair;
}

// kernel: bytes_copied_into_a_structure
// grid: 4
// threadgroup: 4
// in 0: uchar 0..63
// in 1: float 8*0
kernel void bytes_copied_into_a_structure(device const uchar* x [[buffer(0)]],
                                          device PairOfFloats* y [[buffer(1)]],
                                          uint t [[thread_position_in_threadgroup]]) {
  threadgroup uchar tile[64];
  for (uint k = 0; k < 16; ++k) tile[16 * t + k] = x[16 * t + k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  PairOfFloats pair;
  __builtin_memcpy(&pair, tile + 3 + 9 * t, sizeof(pair));
  y[t] = pair;
  __builtin_memcpy(&pair, x + 5 + 9 * t, sizeof(pair));
  y[t].both += pair.both;
}

// kernel: discards_what_it_never_wrote
// grid: 8
// threadgroup: 8
// in 0: float 0..7
// in 1: float 8*0
kernel void discards_what_it_never_wrote(device const float* x [[buffer(0)]],
                                         device float* y [[buffer(1)]],
                                         uint i [[thread_position_in_grid]]) {
  float before;
  float2 both;
  if (i > 0) before = x[i - 1];
  if (i > 1) both = float2(before, x[i - 2]);
  const float sum = before + x[i];
  y[i] = select(x[i], sum, i > 0);
  y[i] += i > 1 ? both.y : 0;
}

// kernel: sent_and_discarded
// grid: 32
// threadgroup: 32
// in 0: float 32*0
kernel void sent_and_discarded(device float* y [[buffer(0)]],
                               uint i [[thread_position_in_threadgroup]]) {
  float mine;
  if (i > 0) mine = i;
  const float other = simd_shuffle_up(mine, ushort(1));
  y[i] = i > 1 ? other : 0;
}

// kernel: pointer_that_is_not_followed
// grid: 8
// threadgroup: 8
// in 0: float 0..7
// in 1: float 8*0
kernel void pointer_that_is_not_followed(device const float* x [[buffer(0)]],
                                         device float* y [[buffer(1)]],
                                         uint i [[thread_position_in_grid]]) {
  device const float* before;
  if (i > 0) before = x + i - 1;
  device const float* from = i > 0 ? before : x;
  y[i] = *from;
}
