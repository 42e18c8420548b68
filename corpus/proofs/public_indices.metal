// Indices, loops and conditions as the papers about GPUVerify and Faial describe them (docs/concepts/proofs.md).
// claims same_place: races x refuted 44
// claims same_value: races x proved
// claims read_beside_write: races x refuted 57
// claims read_then_write: barriers proved; races x proved
// claims wrong_flags: barriers proved; races x refuted 75 77
// claims other_threadgroup: barriers proved; races x refuted 85 87
// claims index_of_row_only: races x refuted 95
// claims modular: races x proved; bounds x proved
// claims modular_collision: races x refuted 111
// claims xor_partner: races x proved; bounds x proved
// claims masked: races x refuted 124
// claims grid_stride: races x proved; bounds x proved
// claims grid_stride_short: races x refuted 143
// claims blocks_of_threads: races x proved; bounds x proved
// claims guarded_tail: races x proved; bounds x proved
// claims open_tail: bounds x refuted 167
// claims barrier_under_thread: barriers refuted 174
// claims barrier_under_group: barriers proved; races x proved
// claims barrier_in_uneven_loop: barriers refuted 193
// claims barrier_in_nested_loops: barriers proved; races line proved
// claims writer_in_turn: barriers proved; races line proved
// claims gather: races y proved; bounds y proved; bounds x unknown
// claims scatter: races y unknown; bounds y unknown
// claims scatter_apart: races y proved; bounds y proved
// claims histogram: races bins proved; bounds bins proved
// claims histogram_local: barriers proved; races counts proved; bounds counts proved; races bins proved
// claims histogram_plain: races bins unknown
// claims cleared_late: races counts refuted 305 306
// claims pointer_walk: races x proved; bounds x proved
// claims pointer_choice: races x proved; races y proved
// claims shared_bytes: races x refuted 337 338
// claims vectors_of_four: races x proved; bounds x proved
// claims fields: races x proved; bounds x proved
// claims hand_over: barriers proved; races line proved; races x proved
// kernel: same_place
// grid: 64
// threadgroup: 64
// in 0: uint 64*0
#include <metal_stdlib>
using namespace metal;

// All threads write their number to one place.
kernel void same_place(device uint* x, uint t [[thread_position_in_threadgroup]]) { x[0] = t; }
// kernel: same_value
// grid: 64
// threadgroup: 64
// in 0: uint 64*0
// All threads write one value to one place, which is benign.
kernel void same_value(device uint* x) { x[0] = 7; }
// kernel: read_beside_write
// grid: 64
// threadgroup: 64
// in 0: uint 65*0
// Each thread reads what its neighbour writes.
kernel void read_beside_write(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  x[t] = x[t + 1] + 1;
}
// kernel: read_then_write
// grid: 64
// threadgroup: 64
// in 0: uint 65*0
// The same with a barrier between.
kernel void read_then_write(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  const uint next = x[t + 1] + 1;
  threadgroup_barrier(mem_flags::mem_device);
  x[t] = next;
}
// kernel: wrong_flags
// grid: 64
// threadgroup: 64
// in 0: uint 65*0
// The barrier orders threadgroup memory only.
kernel void wrong_flags(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  const uint next = x[t + 1] + 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = next;
}
// kernel: other_threadgroup
// grid: 128
// threadgroup: 64
// in 0: uint 129*0
// A barrier does not order threads of two threadgroups.
kernel void other_threadgroup(device uint* x, uint i [[thread_position_in_grid]]) {
  const uint next = x[i + 1] + 1;
  threadgroup_barrier(mem_flags::mem_device);
  x[i] = next;
}
// kernel: index_of_row_only
// grid: 16 4
// threadgroup: 16 4
// in 0: uint 64*0
// The column is forgotten in the index.
kernel void index_of_row_only(device uint* x, uint2 t [[thread_position_in_threadgroup]]) {
  x[t.y] = t.x;
}
// kernel: modular
// grid: 64
// threadgroup: 64
// in 0: uint 64*0
// A step that has no common factor with the length gives each thread another place.
kernel void modular(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  x[(5 * t + 3) % 64] = t;
}
// kernel: modular_collision
// grid: 64
// threadgroup: 64
// in 0: uint 64*0
// A step of six meets the same places twice.
kernel void modular_collision(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  x[6 * t % 64] = t;
}
// kernel: xor_partner
// grid: 64
// threadgroup: 64
// in 0: uint 64*0
// Exclusive or with a constant is a permutation.
kernel void xor_partner(device uint* x, uint t [[thread_position_in_threadgroup]]) { x[t ^ 21] = t; }
// kernel: masked
// grid: 64
// threadgroup: 64
// in 0: uint 64*0
// A mask loses a bit.
kernel void masked(device uint* x, uint t [[thread_position_in_threadgroup]]) { x[t & 47] = t; }
// kernel: grid_stride
// grid: 96
// threadgroup: 32
// in 0: float 1000*1
// in 1: uint 1000
// Each thread goes through the buffer in steps of the grid.
kernel void grid_stride(device float* x, constant uint& n, uint i [[thread_position_in_grid]],
                        uint all [[threads_per_grid]]) {
  for (uint k = i; k < n; k += all) x[k] *= 2;
}
// kernel: grid_stride_short
// grid: 96
// threadgroup: 32
// in 0: uint 1000*1
// in 1: uint 1000
// The step is that of a threadgroup.
kernel void grid_stride_short(device uint* x, constant uint& n, uint i [[thread_position_in_grid]],
                              uint width [[threads_per_threadgroup]]) {
  for (uint k = i; k < n; k += width) x[k] = i;
}
// kernel: blocks_of_threads
// grid: 50
// threadgroup: 25
// in 0: float 1000*1
// Each thread has a block of twenty elements.
kernel void blocks_of_threads(device float* x, uint i [[thread_position_in_grid]]) {
  for (uint k = 20 * i; k < 20 * i + 20; ++k) x[k] *= 2;
}
// kernel: guarded_tail
// grid: 1024
// threadgroup: 256
// in 0: float 1000*1
// in 1: uint 1000
// The grid is rounded up, and a test leaves out the rest.
kernel void guarded_tail(device float* x, constant uint& n, uint i [[thread_position_in_grid]]) {
  if (i < n) x[i] *= 2;
}
// kernel: open_tail
// grid: 1024
// threadgroup: 256
// in 0: float 1000*1
// The same without the test.
kernel void open_tail(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
// kernel: barrier_under_thread
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// A barrier that half of the threads reach.
kernel void barrier_under_thread(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  if (t < 32) threadgroup_barrier(mem_flags::mem_device);
  x[t] = t;
}
// kernel: barrier_under_group
// grid: 128
// threadgroup: 64
// in 0: uint 128*1
// A barrier that whole threadgroups reach or leave out.
kernel void barrier_under_group(device uint* x, uint i [[thread_position_in_grid]],
                                uint g [[threadgroup_position_in_grid]]) {
  if (g == 0) threadgroup_barrier(mem_flags::mem_device);
  x[i] = i;
}
// kernel: barrier_in_uneven_loop
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// The threads make different numbers of rounds with a barrier.
kernel void barrier_in_uneven_loop(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  for (uint k = 0; k < t; ++k) threadgroup_barrier(mem_flags::mem_device);
  x[t] = t;
}
// kernel: barrier_in_nested_loops
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// Two loops around barriers; the inner bound depends on the outer counter.
kernel void barrier_in_nested_loops(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint line[64];
  for (uint a = 0; a < 4; ++a)
    for (uint b = 0; b <= a; ++b) {
      line[t] = a + b;
      threadgroup_barrier(mem_flags::mem_threadgroup);
      x[t] += line[63 - t];
      threadgroup_barrier(mem_flags::mem_threadgroup);
    }
}
// kernel: writer_in_turn
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// In each round one thread writes and all read after a barrier.
kernel void writer_in_turn(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint line[1];
  for (uint k = 0; k < 64; ++k) {
    if (t == k) line[0] = t;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    x[t] += line[0];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
}
// kernel: gather
// grid: 64
// threadgroup: 64
// in 0: float 64*1
// in 1: uint 64*1
// in 2: float 64*0
// An index from a buffer, for a load.
kernel void gather(device const float* x, device const uint* order, device float* y,
                   uint t [[thread_position_in_threadgroup]]) {
  y[t] = x[order[t]];
}
// kernel: scatter
// grid: 64
// threadgroup: 64
// in 0: float 64*1
// in 1: uint 0..63
// in 2: float 64*0
// An index from a buffer, for a store: only its contents say that no two are equal.
kernel void scatter(device const float* x, device const uint* order, device float* y,
                    uint t [[thread_position_in_threadgroup]]) {
  y[order[t]] = x[t];
}
// kernel: scatter_apart
// grid: 64
// threadgroup: 64
// in 0: float 64*1
// in 1: uint 0..63
// in 2: float 512*0
// The index from a buffer chooses within the part of the thread.
kernel void scatter_apart(device const float* x, device const uint* order, device float* y,
                          uint t [[thread_position_in_threadgroup]]) {
  y[8 * t + order[t] % 8] = x[t];
}
// kernel: histogram
// grid: 128
// threadgroup: 64
// in 0: uint 128*1
// in 1: uint 16*0
// Counts in shared places are atomic.
kernel void histogram(device const uint* x, device atomic_uint* bins,
                      uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&bins[x[i] % 16], 1u, memory_order_relaxed);
}
// kernel: histogram_local
// grid: 128
// threadgroup: 64
// in 0: uint 128*1
// in 1: uint 16*0
// Counts of each threadgroup first, and then of all.
kernel void histogram_local(device const uint* x, device atomic_uint* bins,
                            uint t [[thread_position_in_threadgroup]],
                            uint i [[thread_position_in_grid]]) {
  threadgroup atomic_uint counts[16];
  if (t < 16) atomic_store_explicit(&counts[t], 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(&counts[x[i] % 16], 1u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 16) {
    const uint count = atomic_load_explicit(&counts[t], memory_order_relaxed);
    atomic_fetch_add_explicit(&bins[t], count, memory_order_relaxed);
  }
}
// kernel: histogram_plain
// grid: 128
// threadgroup: 64
// in 0: uint 128*1
// in 1: uint 16*0
// The same place may be counted by two threads, if the data are so.
kernel void histogram_plain(device const uint* x, device uint* bins,
                            uint i [[thread_position_in_grid]]) {
  bins[x[i] % 16] += 1;
}
// kernel: cleared_late
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 64*0
// A store clears a counter while others already count.
kernel void cleared_late(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup atomic_uint counts[64];
  atomic_store_explicit(&counts[t], 0u, memory_order_relaxed);
  atomic_fetch_add_explicit(&counts[63 - t], 1u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = atomic_load_explicit(&counts[t], memory_order_relaxed);
}
// kernel: pointer_walk
// grid: 64
// threadgroup: 64
// in 0: float 512*1
// A pointer walks through the part of the thread.
kernel void pointer_walk(device float* x, uint t [[thread_position_in_threadgroup]]) {
  device float* p = x + 8 * t;
  for (uint k = 0; k < 8; ++k) *p++ *= 2;
}
// kernel: pointer_choice
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// in 1: uint 64*1
// A pointer leads to one of two buffers.
kernel void pointer_choice(device uint* x, device uint* y,
                           uint t [[thread_position_in_threadgroup]]) {
  device uint* p = t % 2 ? x : y;
  p[t] = t;
}
// kernel: shared_bytes
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// Four threads write the bytes of a word, and a fifth the word.
kernel void shared_bytes(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  device uchar* bytes = (device uchar*)x;
  bytes[t] = uchar(t);
  if (t == 63) x[0] = t;
}
// kernel: vectors_of_four
// grid: 64
// threadgroup: 64
// in 0: float 256*1
// Each thread stores a vector of four.
kernel void vectors_of_four(device float4* x, uint t [[thread_position_in_threadgroup]]) {
  x[t] = float4(float(t));
}
// kernel: fields
// grid: 128
// threadgroup: 64
// in 0: uint 256*1
// Two fields of a struct, written by even and odd threads.
struct Pair {
  uint first, second;
};
kernel void fields(device Pair* x, uint i [[thread_position_in_grid]]) {
  if (i % 2 == 0)
    x[i / 2].first = i;
  else
    x[i / 2].second = i;
}
// kernel: hand_over
// grid: 64
// threadgroup: 64
// in 0: uint 64*1
// Even threads write for odd ones, and the other way round after a barrier.
kernel void hand_over(device uint* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint line[64];
  if (t % 2 == 0) line[t + 1] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t % 2 == 1) line[t - 1] = line[t] + 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[t];
}
