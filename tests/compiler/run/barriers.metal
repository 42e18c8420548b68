// Barriers in loops, under conditions on which all threads agree, and after some have returned.
#include <metal_stdlib>
using namespace metal;

// kernel: in_loop
// grid: 16
// threadgroup: 8
// in 0: uint 1..16
// out 1: uint 1 3 6 10 15 21 28 36 9 19 30 42 55 69 84 100
kernel void in_loop(device const uint* in [[buffer(0)]], device uint* out [[buffer(1)]],
                    uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]],
                    uint n [[threads_per_threadgroup]]) {
  threadgroup uint sums[8];
  sums[t] = in[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 1; step < n; step *= 2) {
    const uint other = t >= step ? sums[t - step] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sums[t] += other;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  out[i] = sums[t];
}

// kernel: uniform_condition
// grid: 8
// threadgroup: 4
// in 0: uint 1
// out 1: uint 3 2 1 0 4 5 6 7
kernel void uniform_condition(constant uint& wanted [[buffer(0)]], device uint* out [[buffer(1)]],
                              uint i [[thread_position_in_grid]],
                              uint t [[thread_position_in_threadgroup]],
                              uint group [[threadgroup_position_in_grid]]) {
  threadgroup uint tile[4];
  tile[t] = i;
  if (wanted == 1 && group == 0) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = tile[3 - t];
  } else {
    out[i] = tile[t];
  }
}

// kernel: after_return
// grid: 8
// threadgroup: 8
// in 0: uint 5
// out 1: uint 4 3 2 1 0 3*77
// in 1: uint 8*77
kernel void after_return(constant uint& n [[buffer(0)]], device uint* out [[buffer(1)]],
                         uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint tile[8];
  if (t >= n) return;
  tile[t] = t;
  threadgroup_barrier(mem_flags::mem_threadgroup);  // expect: barrier_divergence
  out[t] = tile[n - 1 - t];
}

// kernel: data_dependent_trips
// grid: 8
// threadgroup: 4
// in 0: uint 3 1
// out 1: uint 3 0 1 2 5 6 7 4
kernel void data_dependent_trips(device const uint* trips [[buffer(0)]],
                                 device uint* out [[buffer(1)]],
                                 uint i [[thread_position_in_grid]],
                                 uint t [[thread_position_in_threadgroup]],
                                 uint group [[threadgroup_position_in_grid]]) {
  threadgroup uint tile[4];
  uint mine = i;
  for (uint trip = 0; trip < trips[group]; ++trip) {
    tile[t] = mine;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    mine = tile[(t + 1) % 4];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  out[i] = mine;
}

// kernel: of_device_memory
// grid: 6
// threadgroup: 6
// in 0: uint 1..6
// out 0: uint 6..1
kernel void of_device_memory(device uint* data [[buffer(0)]],
                             uint t [[thread_position_in_threadgroup]]) {
  const uint theirs = data[5 - t];
  threadgroup_barrier(mem_flags::mem_device);
  data[t] = theirs;
}

// kernel: break_out
// grid: 4
// threadgroup: 4
// out 0: uint 4*3
kernel void break_out(device uint* out [[buffer(0)]], uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint counter;
  if (t == 0) counter = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  while (true) {
    const uint seen = counter;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (seen == 3) break;
    if (t == 0) counter = seen + 1;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  out[t] = counter;
}

// A loop that runs not at all in one launch, with a barrier right behind it.
// kernel: butterflies
// grid: 8
// threadgroup: 8
// in 0: uint 1..8
// in 1: uint 8
// out 2: uint 36 36 36 36 36 36 36 36
// kernel: butterflies
// grid: 8
// threadgroup: 8
// in 0: uint 1..8
// in 1: uint 1
// out 2: uint 8 7 6 5 4 3 2 1
kernel void butterflies(device const uint* in [[buffer(0)]], constant uint& n [[buffer(1)]],
                        device uint* out [[buffer(2)]],
                        uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint sums[8];
  sums[t] = in[t];
  for (uint distance = 1; distance < n; distance *= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < n / 2) {
      const uint low = 2 * (t - t % distance) + t % distance;
      const uint sum = sums[low] + sums[low + distance];
      sums[low] = sum;
      sums[low + distance] = sum;
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = sums[7 - t];
}
