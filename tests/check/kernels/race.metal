// Two threads at one place with nothing that orders them.
#include <metal_stdlib>
using namespace metal;

// kernel: no_barrier_after_the_tile
// grid: 16
// threadgroup: 16
// in 0: float 0..15
// in 1: float 16*7
kernel void no_barrier_after_the_tile(device const float* x [[buffer(0)]],
                                      device float* y [[buffer(1)]],
                                      uint i [[thread_position_in_threadgroup]]) {
  threadgroup float tile[16];
  tile[i] = x[i];
  y[i] = tile[15 - i];  // expect: race
}

// A store that comes first, but that nothing orders before the sums.
// kernel: set_while_others_add
// grid: 64
// threadgroup: 64
// in 0: float 5
kernel void set_while_others_add(device atomic_float* sum [[buffer(0)]],
                                 uint i [[thread_position_in_grid]]) {
  if (i == 0) atomic_store_explicit(sum, 0.0f, memory_order_relaxed);
  atomic_fetch_add_explicit(sum, 1.0f, memory_order_relaxed);  // expect: race
}

// kernel: sum_in_one_place
// grid: 16
// threadgroup: 4
// in 0: float 1..16
// in 1: float 0
kernel void sum_in_one_place(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                             uint i [[thread_position_in_grid]]) {
  y[0] += x[i];  // expect: race
}

// kernel: no_barrier_before_the_next_round
// grid: 16
// threadgroup: 16
// in 0: float 0..63
// in 1: float 16*0
kernel void no_barrier_before_the_next_round(device const float* x [[buffer(0)]],
                                             device float* y [[buffer(1)]],
                                             uint i [[thread_position_in_threadgroup]]) {
  threadgroup float tile[16];
  float sum = 0;
  for (uint round = 0; round < 4; ++round) {
    tile[i] = x[16 * round + i];  // expect: race
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < 16; ++k) sum += tile[k] * float(k);
  }
  y[i] = sum;
}

// kernel: stencil_in_place
// grid: 64
// threadgroup: 16
// in 0: float 0..31 31..0
kernel void stencil_in_place(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i == 0 || i == 63) return;
  const float around = x[i - 1] * 3 + x[i + 1];  // expect: race
  x[i] = around;                                 // expect: race
}

// kernel: flags_of_the_wrong_memory
// grid: 16
// threadgroup: 16
// in 0: float 1..16
// in 1: float 16*0
kernel void flags_of_the_wrong_memory(device float* x [[buffer(0)]], device float* y [[buffer(1)]],
                                      uint i [[thread_position_in_threadgroup]]) {
  y[i] = 2 * x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = y[15 - i];  // expect: race
}

// kernel: last_steps_without_simdgroup_barriers
// grid: 32
// threadgroup: 32
// in 0: float 1..32
// in 1: float 0
kernel void last_steps_without_simdgroup_barriers(device const float* x [[buffer(0)]],
                                                  device float* y [[buffer(1)]],
                                                  uint i [[thread_position_in_threadgroup]]) {
  threadgroup float part[32];
  part[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint distance = 16; distance > 0; distance /= 2)
    if (i < distance) part[i] += part[i + distance];  // expect: race
  if (i == 0) y[0] = part[0];
}

// kernel: everyone_has_a_say
// grid: 8
// threadgroup: 8
// in 0: uint 8*0
kernel void everyone_has_a_say(device uint* y [[buffer(0)]],
                               uint i [[thread_position_in_threadgroup]]) {
  threadgroup uint chosen;
  chosen = i;  // expect: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = chosen;
}

// kernel: other_groups_are_not_done
// grid: 32
// threadgroup: 8
// in 0: float 1..32
// in 1: float 32*0
kernel void other_groups_are_not_done(device const float* x [[buffer(0)]],
                                      device float* y [[buffer(1)]],
                                      uint i [[thread_position_in_grid]]) {
  y[i] = 3 * x[i];
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  if (i >= 8) y[i] += y[i - 8];  // expect: race
}

// kernel: plain_beside_atomic
// grid: 16
// threadgroup: 16
// in 0: uint 16*0
kernel void plain_beside_atomic(device uint* y [[buffer(0)]],
                                uint i [[thread_position_in_threadgroup]]) {
  threadgroup uint count;
  if (i == 0) count = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit((threadgroup atomic_uint*)&count, i + 1, memory_order_relaxed);
  y[i] = count;  // expect: race
}

// A plain write is not hidden by an atomic operation of the same thread.
// kernel: plain_write_before_own_atomic
// grid: 64
// threadgroup: 64
// in 0: uint 5
kernel void plain_write_before_own_atomic(device atomic_uint* x [[buffer(0)]],
                                          uint g [[thread_position_in_grid]]) {
  if (g == 0) {
    *(device uint*)x = 7;  // expect: race
    atomic_fetch_add_explicit(x, 1u, memory_order_relaxed);
  } else if (g == 1) {
    atomic_fetch_add_explicit(x, 1u, memory_order_relaxed);
  }
}

// A plain read is not hidden by an atomic one of the same thread.
// kernel: plain_read_before_own_atomic
// grid: 64
// threadgroup: 64
// in 0: uint 5
// in 1: uint 64*0
kernel void plain_read_before_own_atomic(device atomic_uint* x [[buffer(0)]],
                                         device uint* y [[buffer(1)]],
                                         uint g [[thread_position_in_grid]]) {
  if (g == 0)
    y[g] = *(device uint*)x + atomic_load_explicit(x, memory_order_relaxed);
  else if (g == 40)
    atomic_fetch_add_explicit(x, 1u, memory_order_relaxed);  // expect: race
}

// The reader of another simdgroup counts, though two lanes of the first have read before.
// kernel: readers_of_two_simdgroups
// grid: 64
// threadgroup: 64
// in 0: uint 5
// in 1: uint 64*0
kernel void readers_of_two_simdgroups(device uint* x [[buffer(0)]], device uint* y [[buffer(1)]],
                                      uint g [[thread_position_in_grid]]) {
  y[g] = x[0];
  simdgroup_barrier(mem_flags::mem_device);
  if (g == 33) x[0] = 6;  // expect: race
}

// Barriers of the simdgroup are counted from the last one of the threadgroup.
// kernel: after_many_simdgroup_barriers
// grid: 32
// threadgroup: 32
// in 0: uint 32*1
// in 1: uint 510
kernel void after_many_simdgroup_barriers(device uint* x [[buffer(0)]],
                                          constant uint& steps [[buffer(1)]],
                                          uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint tile[32], other[32];
  for (uint k = 0; k < steps; ++k) simdgroup_barrier(mem_flags::mem_threadgroup);
  tile[t] = x[t];
  x[t] = tile[31 - t];  // expect: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 0; k < steps; ++k) simdgroup_barrier(mem_flags::mem_threadgroup);
  other[t] = x[t];
  x[t] = other[31 - t];  // expect: race
}

// They order nothing between simdgroups, however many they are.
// kernel: simdgroups_after_many_barriers_of_their_own
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 1000
kernel void simdgroups_after_many_barriers_of_their_own(device uint* x [[buffer(0)]],
                                                        constant uint& steps [[buffer(1)]],
                                                        uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint tile[64];
  tile[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 0; k < steps; ++k) simdgroup_barrier(mem_flags::mem_threadgroup);
  tile[t] += 1;         // expect: race
  x[t] = tile[63 - t];  // expect: race
}

// kernel: after_many_barriers
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 4094
kernel void after_many_barriers(device uint* x [[buffer(0)]], constant uint& steps [[buffer(1)]],
                                uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint tile[64];
  tile[t] = x[t];
  for (uint k = 0; k < steps; ++k) threadgroup_barrier(mem_flags::mem_threadgroup);
  tile[t] += 1;         // expect: race
  x[t] = tile[63 - t];  // expect: race
}

// Of a simdgroup, several rows of lanes come to one place.
// kernel: rows_write_one_line
// grid: 16 4
// threadgroup: 8 4
// in 0: float 16*0
kernel void rows_write_one_line(device float* x [[buffer(0)]],
                                uint2 i [[thread_position_in_grid]]) {
  x[i.x] = float(i.y + 1);  // expect: race
}

// kernel: last_row_writes_what_all_read
// grid: 16 4
// threadgroup: 8 4
// in 0: float 16*1
kernel void last_row_writes_what_all_read(device float* x [[buffer(0)]],
                                          uint2 i [[thread_position_in_grid]]) {
  const float next = x[i.x] + 1;
  if (i.y == 3) x[i.x] = next;  // expect: race
}

// kernel: rows_fill_one_tile
// grid: 32 2
// threadgroup: 16 2
// in 0: float 0..63
// in 1: float 64*0
kernel void rows_fill_one_tile(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                               uint2 i [[thread_position_in_grid]],
                               uint2 t [[thread_position_in_threadgroup]],
                               uint2 group [[threadgroup_position_in_grid]]) {
  threadgroup float tile[64];
  const uint at = group.x % 2 * 16 + t.x;
  tile[at] = x[i.y * 32 + i.x];  // expect: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i.y * 32 + i.x] = tile[at];
}
